extension PhoneState {
    var snapshot: PhoneSnapshot {
        let outward = Outward(self)
        let digits: String
        switch ear {
        case .collecting(let collection): digits = collection.digits
        case .closed, .inCall, .told: digits = ""
        }
        return PhoneSnapshot(
            calls: calls.map(\.summary), hook: hook, digits: digits, muted: outward.muted, route: route,
            tone: outward.tone, registrations: registrations,
            lamps: Dictionary(uniqueKeysWithValues: zip(Lamp.allCases, outward.lamps)), ringing: outward.rings)
    }
}
