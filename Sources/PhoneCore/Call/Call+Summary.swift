import Base

extension Call {
    var phase: CallSummary.Phase {
        switch state {
        case .idle: .idle
        case .ringingIn: .ringingIn
        case .ringingOut: .ringingOut
        case .connecting: .connecting
        case .active: .active
        case .onHold: .onHold
        case .reconnecting: .reconnecting
        case .disconnecting: .disconnecting
        case .ended: .ended
        case .failed: .failed
        }
    }

    var summary: CallSummary {
        CallSummary(
            call: id, direction: direction, phase: phase, number: number, name: name, account: account,
            heldHere: talk?.isHeldHere ?? false, heldThere: talk?.heldThere ?? false, started: started,
            answered: answered, farEndRings: farEndRings)
    }

    private var farEndRings: Bool {
        if case .ringingOut(.placed(_, alerting: true, _)) = state { true } else { false }
    }

    /// Announced or refused here, and answered neither here nor elsewhere.
    func isMissed(for reason: EndReason) -> Bool {
        direction == .incoming && answered == nil && reason != .answeredElsewhere
    }

    func historyEntry(ended: Instant, reason: EndReason) -> HistoryEntry {
        HistoryEntry(
            direction: direction, number: number, name: name, account: account, started: started, answered: answered,
            ended: ended, reason: reason, missed: isMissed(for: reason), quality: quality)
    }

    /// What a start after a crash needs to know. Nil before the call is up.
    var essentials: PersistedCall? {
        answered.map { answered in
            PersistedCall(
                call: id.description, direction: direction, number: number, name: name, account: account,
                started: started, answered: answered)
        }
    }
}
