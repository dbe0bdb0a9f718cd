extension PhoneState {
    /// All lamps, turned off. Few lamps are lit, so a snapshot only changes those.
    private static let darkness = Dictionary(uniqueKeysWithValues: Lamp.allCases.map { ($0, LampPattern.off) })

    func snapshot(_ policy: PhonePolicy) -> PhoneSnapshot {
        let outward = ObservableState(self, policy)
        let digits: String
        switch userAudio {
        case .collecting(let collection): digits = collection.digits
        case .closed, .inCall, .paging, .told: digits = ""
        }
        var lamps = Self.darkness
        for (lamp, pattern) in zip(Lamp.allCases, outward.lamps) where pattern != .off { lamps[lamp] = pattern }
        return PhoneSnapshot(
            calls: calls.map { summary(of: $0, policy) }, hook: hook, digits: digits, muted: outward.muted,
            route: route, tone: outward.tone, registrations: registrations,
            lamps: lamps, ringing: outward.ring != nil, settings: settings, missed: missed,
            missedCount: unseenMissedCalls,
            messagesWaiting: waitingMessages, messages: keptMessages, network: networkStatus,
            networkKind: network.believed?.kind,
            organisation: context?.organisation, switchingTo: switching?.target,
            hasBackend: policy.hasBackend, signIn: backend.signIn.status, organisations: knownOrganisations,
            credentialsExpireInDays: backend.expiresInDays, panel: panelStates,
            conference: conference, interrupted: interruption != .none,
            recording: outward.recording, playback: outward.playback, page: outward.page,
            sentPage: outward.sentPage?.page,
            soundTest: soundTest.result,
            refusedCalls: Int(refusedCalls), wrongCodes: settings.wrongCodes, codesLockedUntil: codeTries.lastLock,
            lostDevices: lostDevices, panelFailed: panelFailed ? true : nil,
            display: outward.display,
            qualities: Dictionary(uniqueKeysWithValues: calls.compactMap { call in call.quality.map { (call.id, $0) } })
        )
    }

    private var keptMessages: [AccountID: Int]? {
        let kept = messages.filter { $0.value > 0 }
        return kept.isEmpty ? nil : kept
    }

    private var knownOrganisations: [KnownOrganisation]? {
        guard !backend.organisations.isEmpty else { return nil }
        return backend.organisations.compactMap { $0.bounded(current: context?.organisation.id) }
    }

    private var panelStates: PanelStates? {
        let waiting = alarms.filter { $0.value.due != nil }.keys
        let states = PanelStates(inputs: inputs, relays: Set(relays.keys), alarms: Set(waiting))
        return states.isAtRest ? nil : states
    }
}
