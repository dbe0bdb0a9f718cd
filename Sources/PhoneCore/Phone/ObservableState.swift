/// The phone's outputs, as a function of its state. Only differences are reported, so nothing is reported twice or
/// forgotten.
struct ObservableState: Equatable, Sendable {
    let ring: Ring?
    let tone: Tone?
    let muted: Bool
    let route: Route
    let isPaused: Bool
    /// The calls whose far ends hear each other.
    let conferees: [CallID]
    let recording: CallID?
    let playback: Playback?
    let page: Page?
    let sentPage: OwnPage?
    let soundTest: SoundTest?
    /// Our addresses at which pages are received. Nil: none are known, or no pages are heard.
    let pageAddresses: [String]?
    let settings: PhoneSettings
    let network: NetworkStatus
    let relays: [UInt8: RelayHold]
    let lamps: [LampPattern]
    let display: DisplayContent?

    init(_ phone: borrowing PhoneState, _ policy: borrowing PhonePolicy) {
        let panelAnnounces = policy.announcer != .interface
        ring = panelAnnounces ? ObservableState.bell(phone, policy) : nil
        tone = ObservableState.tone(phone, panelAnnounces: panelAnnounces)
        muted = phone.isMuted
        route = phone.route
        isPaused = phone.isPaused
        conferees = phone.conferees
        recording = phone.recording?.recorded
        playback = phone.playback?.playback
        page = policy.paging?.page(phone.page)
        sentPage = OwnPage(phone, policy)
        soundTest = phone.soundTest.run?.test
        pageAddresses = policy.paging == nil ? nil : phone.network.believed?.addresses
        settings = phone.settings
        network = phone.networkStatus
        relays = phone.relays
        display = phone.display(policy)
        lamps =
            phone.mode == .running
            ? ObservableState.lamps(phone, policy, panelAnnounces: panelAnnounces, muted: muted)
            : Lamp.allCases.map { _ in .off }
    }

    private static func lamps(
        _ phone: PhoneState, _ policy: PhonePolicy, panelAnnounces: Bool, muted: Bool
    ) -> [LampPattern] {
        let speaker = phone.route == .speaker && phone.isBusy
        let engaged = phone.isEngaged || phone.sentPage != nil
        let rings = panelAnnounces && (phone.recall != nil || phone.calls.contains(where: \.isRinging))
        let asks = phone.calls.contains { $0.question != nil }
        let news = phone.unseenMissedCalls > 0 || phone.waitingMessages > 0
        return Lamp.allCases.map { lamp in
            switch lamp {
            case .line: asks ? .fastBlink : isFaulty(phone, policy) ? .slowBlink : engaged ? .on : .off
            case .ringing: rings ? .fastBlink : .off
            case .message: news ? .on : .off
            case .mute: muted ? .on : .off
            case .hold: phone.calls.contains(where: \.isHeld) ? .slowBlink : .off
            case .speaker: speaker ? .on : .off
            case .doNotDisturb: phone.settings.doNotDisturb ? .on : .off
            case .account(let number): account(phone, policy, number)
            case .speedDial(let number): speedDial(phone, policy, number)
            }
        }
    }

    /// Whether the fault lamp is lit. Idle: an account without a lamp failed to register, or a test found that the
    /// phone is deaf or mute, or a person has to sign the phone in again. In a call: the call that has the focus is
    /// faulty.
    private static func isFaulty(_ phone: PhoneState, _ policy: PhonePolicy) -> Bool {
        guard phone.calls.isEmpty else { return phone.isFocusFaulty }
        return phone.soundTest.result?.verdict.isFault ?? false || phone.backend.signIn.isNeeded
            || phone.registrations.contains { $0.value.isFailed && !policy.lineKeys.contains($0.key) }
    }

    private static func account(_ phone: PhoneState, _ policy: PhonePolicy, _ number: UInt8) -> LampPattern {
        guard let account = policy.account(ofLineKey: number) else { return .off }
        let calls = phone.calls
        if calls.contains(where: { $0.account == account && $0.isRinging }) { return .fastBlink }
        if calls.contains(where: { $0.account == account && $0.isEngaged && !$0.isHeld }) { return .on }
        if calls.contains(where: { $0.account == account }) {
            return calls.contains { $0.account == account && $0.isHeld } ? .slowBlink : .off
        }
        return phone.registrations[account]?.isFailed == true ? .slowBlink : .off
    }

    /// The lamp of a watched number, or of an organisation: whether the phone works for it.
    private static func speedDial(_ phone: PhoneState, _ policy: PhonePolicy, _ number: UInt8) -> LampPattern {
        guard let organisation = policy.organisationKeys?[number] else { return watched(phone, policy, number) }
        if let switching = phone.switching { return switching.target == organisation ? .fastBlink : .off }
        return phone.context?.organisation.id == organisation ? .on : .off
    }

    private static func watched(_ phone: PhoneState, _ policy: PhonePolicy, _ number: UInt8) -> LampPattern {
        guard !phone.watched.isEmpty, let dial = policy.speedDials[number], let kind = dial.watched else { return .off }
        switch (phone.watched[policy.watchedNumber(of: dial)] ?? .unknown, kind) {
        case (.unknown, _), (.idle, _): return .off
        case (.ringing, _): return .fastBlink
        case (.busy, .phone): return .on
        case (.held, .phone): return .slowBlink
        case (.busy, .orbit), (.held, .orbit): return .flutter
        }
    }

    /// The bell rings only while no person uses the phone.
    private static func bell(_ phone: PhoneState, _ policy: PhonePolicy) -> Ring? {
        if let recalled = phone.recall.flatMap({ phone[$0.call] }) { return policy.ring(of: recalled) }
        guard !phone.isEngaged, phone.userAudio == .closed else { return nil }
        let audible = phone.calls.first {
            if case .ringingIn(let ringing) = $0.state { !ringing.silenced } else { false }
        }
        return audible.map { policy.ring(of: $0) }
    }

    /// The most important tone: the far end's ringback first, then call waiting, then the phone's own tone. A page
    /// plays without a tone.
    private static func tone(_ phone: PhoneState, panelAnnounces: Bool) -> Tone? {
        guard phone.page == nil else { return nil }
        if phone.calls.contains(where: \.ringsThereUnheard) { return .ringback }
        let knocks = phone.calls.contains(where: \.isRinging) && (phone.isEngaged || phone.userAudio != .closed)
        let asks = phone.calls.contains { $0.question != nil }
        if (knocks || asks) && panelAnnounces { return .callWaiting }
        switch phone.userAudio {
        case .closed, .inCall, .paging: return nil
        case .collecting(let collection):
            guard collection.digits.isEmpty else { return nil }
            return phone.waitingMessages > 0 ? .stutterDial : .dial
        case .told(let tone, _): return tone
        }
    }
}

extension RegistrationState {
    fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
}

extension Call {
    fileprivate var isHeld: Bool { if case .onHold = state { true } else { isHeldHere } }

    /// The far end's phone rings, and none of its voice is heard.
    fileprivate var ringsThereUnheard: Bool {
        switch state {
        case .ringingOut(.dialled(_, let alerting, let early)): early.needsRingback(alerting: alerting)
        case .ringingOut, .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting, .disconnecting, .ended,
            .failed:
            false
        }
    }
}

extension PhonePolicy {
    func account(ofLineKey number: UInt8) -> AccountID? {
        lineKeys.indices.contains(Int(number) - 1) ? lineKeys[Int(number) - 1] : nil
    }

    /// A contact's ring comes first, then the one that the server asks for, then the account's.
    func ring(of call: Call) -> Ring {
        let names = [call.who.contactRing, call.who.askedRing, accountRings[call.account]]
        let named = names.lazy.compactMap { name in name.flatMap { rings[$0] }.map { Ring(name: name, cadence: $0) } }
        return named.first ?? Ring(name: nil, cadence: ringCadence)
    }
}

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
