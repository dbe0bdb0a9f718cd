import PhoneCore

/// Each message of caller info is reported once, and behind everything that it caused: its channel forgets it then.
struct Receipts: Equatable, Sendable {
    private var owed: UInt32?
    private var isGiven = false

    mutating func expect(_ event: PhoneEvent) {
        isGiven = false
        guard case .callerInfo(let event) = event else { return owed = nil }
        switch event {
        case .incoming(let info), .ended(let info): owed = info.ticket
        case .invalid: owed = nil
        }
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        if case .callerInfo(.settled(let ticket, _)) = effect {
            guard owed == ticket else { throw Violation("a message is reported once: \(ticket)") }
            (owed, isGiven) = (nil, true)
        } else if isGiven, effect != .stopped {
            throw Violation("a message is reported last: \(effect)")
        }
    }

    func checkTurn() throws(Violation) {
        if let owed { throw Violation("a message is reported in its turn: \(owed)") }
    }
}
