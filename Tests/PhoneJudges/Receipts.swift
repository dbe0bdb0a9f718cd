import PhoneCore

/// Each message of caller info is reported once, and behind everything that it caused: its channel forgets it then.
struct Receipts: Equatable, Sendable {
    private var owed: UInt32?
    private var isGiven = false
    /// The message that announced a call in this turn.
    private var announced: CallerInfo?

    mutating func expect(_ event: PhoneEvent) {
        (isGiven, announced) = (false, nil)
        guard case .callerInfo(let event) = event else { return owed = nil }
        switch event {
        case .incoming(let info):
            (owed, announced) = (info.ticket, info)
        case .ended(let info): owed = info.ticket
        case .invalid, .refused: owed = nil
        }
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        if case .callerInfo(.settled(let ticket, let outcome)) = effect {
            if outcome != .announced { announced = nil }
            guard owed == ticket else { throw Violation("a message is reported once: \(ticket)") }
            (owed, isGiven) = (nil, true)
        } else if isGiven, effect != .stopped {
            throw Violation("a message is reported last: \(effect)")
        }
    }

    func checkTurn(_ snapshot: PhoneSnapshot) throws(Violation) {
        if let owed { throw Violation("a message is reported in its turn: \(owed)") }
        guard let announced, announced.ticket != nil else { return }
        let known = snapshot.calls.last { $0.call.origin == .info }
        guard let known, known.number == announced.number, known.called == announced.channel else {
            throw Violation("a call has the backend's numbers: \(announced.number)")
        }
    }
}
