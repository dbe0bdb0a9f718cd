import Base

/// What happens by itself.
extension Turn {
    /// Does everything that is due, in the order in which it fell due. Each step takes its own deadline away or moves
    /// it beyond `now`, so this ends.
    mutating func expire() {
        while let next = phone.next, next.due <= now {
            switch next.what {
            case .action(let entry): overrun(entry)
            case .call(let id): callDue(id)
            case .ear: earDue()
            }
        }
    }

    private mutating func callDue(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn: end(id, .noAnswer)
        case .ringingOut: end(id, .noAnswer)
        case .connecting: giveUpConnecting(id)
        case .active:
            if let lostAt = call.lostAt, lostAt <= now { end(id, .mediaLost) } else { holdSettled(id, nil) }
        case .onHold: holdSettled(id, nil)
        case .reconnecting(_, let until):
            if until <= now { end(id, .networkLost) } else { holdSettled(id, nil) }
        case .disconnecting(let farewell): finishUnconfirmed(call, farewell)
        case .idle, .ended, .failed: return
        }
    }

    /// Back at rest the route is the default one again, for whoever comes next.
    mutating func settleDown(since before: PhoneState) {
        if before.isBusy && !phone.isBusy { setRoute(policy.defaultRoute) }
    }
}
