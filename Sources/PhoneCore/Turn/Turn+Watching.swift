/// Numbers that are watched: what their keys show and do (spec §13).
extension Turn {
    mutating func watched(_ number: WatchedNumber, _ state: WatchedState) {
        // The line tells of what the policy watches, and of nothing else.
        guard policy.watchedNumbers.contains(number) else { return }
        phone.watched[number] = state == .unknown ? nil : state
    }

    /// Dials; picks up what rings there; parks the call there, when the key is a place to park and nothing is there.
    mutating func speedDialPressed(_ wanted: SpeedDial) {
        guard let kind = wanted.watched else { return dialFromPanel(wanted.at(phone.clock)) }
        let number = policy.watchedNumber(of: wanted)
        switch (kind, phone.watched[number] ?? .unknown) {
        case (.phone, .ringing): pickUpFromPanel(number)
        case (.orbit, .idle), (.orbit, .unknown):
            if let call = phone.focus, call.isUp {
                perform(.transfer(call.id, to: number.number), as: panelAction())
            } else {
                dialFromPanel(wanted.at(phone.clock))
            }
        case (.phone, .unknown), (.phone, .idle), (.phone, .busy), (.phone, .held), (.orbit, .ringing), (.orbit, .busy),
            (.orbit, .held):
            dialFromPanel(wanted.at(phone.clock))
        }
    }

    private mutating func pickUpFromPanel(_ number: WatchedNumber) {
        guard phone.summons == nil, openEar(.talk, account: nil) else { return }
        perform(.pickUp(number.number, account: number.account), as: panelAction())
    }

    /// Takes the call that rings at another number: by the code that its server knows, else from its caller.
    mutating func pickUp(_ number: String, account: AccountID?, as action: ActionID) throws(ActionFailure) {
        let account = account ?? policy.defaultAccount
        if let code = policy.pickupCodes[account] {
            return try dial(code + number, account: account, as: action)
        }
        let watched = WatchedNumber(number, account: account)
        guard phone.watched[watched] == .ringing else { throw .noSuchCall }
        try dial(SpeedDial([number], account: account), pickingUp: watched, as: action)
    }
}

extension PhonePolicy {
    func watchedNumber(of dial: SpeedDial) -> WatchedNumber {
        WatchedNumber(dial.targets[0], account: dial.account ?? defaultAccount)
    }

    /// What the lines are to watch.
    public var watchedNumbers: Set<WatchedNumber> {
        Set(speedDials.values.filter { $0.watched != nil }.map { watchedNumber(of: $0) })
    }
}
