extension PhoneState {
    func snapshot(_ policy: PhonePolicy) -> PhoneSnapshot {
        let outward = Outward(self, policy)
        let digits: String
        switch ear {
        case .collecting(let collection): digits = collection.digits
        case .closed, .inCall, .told: digits = ""
        }
        return PhoneSnapshot(
            calls: calls.map { summary(of: $0, policy) }, hook: hook, digits: digits, muted: outward.muted,
            route: route, tone: outward.tone, registrations: registrations,
            lamps: Dictionary(uniqueKeysWithValues: zip(Lamp.allCases, outward.lamps)),
            ringing: outward.ring != nil, settings: settings, missed: missed, missedCount: unseenMissedCalls,
            messagesWaiting: waitingMessages, network: networkStatus, organisation: context?.organisation,
            conference: conference, interrupted: interruption != .none)
    }
}
