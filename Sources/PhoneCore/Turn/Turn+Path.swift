import Base

/// The network: a path that breaks, comes back, or is another one. Calls wait for it, and then move.
extension Turn {
    mutating func pathSeen(_ path: NetworkPath) {
        guard let change = phone.network.see(path, at: now) else { return }
        if !change.to.isUp { pathLost(since: change.since) }
    }

    /// What was seen has lasted longer than a blip.
    mutating func pathDue() {
        let known = phone.network.lastUp
        guard let change = phone.network.believe() else { return }
        if change.from.kind != change.to.kind {
            notice(.networkTransition(from: change.from.kind, to: change.to.kind))
        }
        guard change.to.isUp else { return pathLost(since: change.since) }
        for account in phone.registrations.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            emit(.line(.reconnect(account)))
        }
        pathFound(hasMoved: known?.addresses != change.to.addresses, since: change.since)
    }

    private mutating func pathLost(since: Instant) {
        for call in phone.calls {
            switch call.state {
            case .active(let talk), .onHold(let talk):
                phone[call.id]?.state = .reconnecting(
                    talk, Recovery(since: since, until: since + policy.networkTime))
            case .reconnecting(let talk, let recovery):
                // Gone again, before the far end knew where we were.
                let until = min(since + policy.networkTime, recovery.since + policy.reconnectTime)
                phone[call.id]?.state = .reconnecting(talk, Recovery(since: recovery.since, until: until))
            case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
                continue
            }
        }
    }

    /// There is a path: the one that calls were on, or another.
    private mutating func pathFound(hasMoved: Bool, since: Instant) {
        for call in phone.calls {
            switch call.state {
            case .active(let talk), .onHold(let talk):
                if hasMoved { move(call, talk, since: since) }
            case .reconnecting(let talk, let recovery):
                if hasMoved || recovery.isMoving {
                    move(call, talk, since: recovery.since)
                } else {
                    talkAgain(call, talk)
                }
            case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
                continue
            }
        }
    }

    private mutating func move(_ call: Call, _ talk: Talk, since: Instant) {
        guard let leg = call.leg else { return }
        let recovery = Recovery(since: since, until: since + policy.reconnectTime, isMoving: true)
        phone[call.id]?.state = .reconnecting(talk, recovery)
        emit(.line(.move(leg)))
    }

    /// The far end knows where we are now, or does not follow.
    mutating func moved(_ call: Call, _ plan: MediaPlan?) {
        switch call.state {
        case .reconnecting(let talk, let recovery):
            guard recovery.isMoving else { return }
            guard let plan else { return end(call.id, .networkLost) }
            var talk = talk
            talk.plan = plan
            emit(.media(.update(call.id, talk.planForMedia)))
            talkAgain(call, talk)
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func talkAgain(_ call: Call, _ talk: Talk) {
        var call = call
        becomeTalking(&call, talk)
        phone[call.id] = call
    }
}
