import Base

/// The network: a path that breaks, comes back, or is another one. Calls wait for it, and then move.
extension Turn {
    mutating func pathSeen(_ path: NetworkPath) {
        guard let change = phone.network.see(path, at: now) else { return }
        guard change.to.isUp else { return pathLost(since: change.since) }
        // Calls that are older than the first word of the network are on what it tells of.
        for index in phone.calls.indices { phone.calls[index].addresses = change.to.addresses }
    }

    /// What was seen has lasted longer than a blip.
    mutating func pathDue() {
        guard let change = phone.network.believe() else { return }
        if change.from.kind != change.to.kind {
            notice(.networkTransition(from: change.from.kind, to: change.to.kind))
        }
        guard change.to.isUp else { return pathLost(since: change.since) }
        for account in phone.registrations.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            emit(.line(.reconnect(account)))
        }
        for call in phone.calls { meetPath(call.id, since: change.since) }
    }

    private mutating func pathLost(since: Instant) {
        for call in phone.calls { waitForPath(call.id, since: since) }
    }

    /// A call that has just come up, or that waits, on the path as it is.
    mutating func meetPath(_ id: CallID, since: Instant) {
        guard phone.network.isUp else { return waitForPath(id, since: since) }
        guard let call = phone[id], let path = phone.network.believed else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk):
            if call.addresses != path.addresses { move(call, talk, since: since) }
        case .reconnecting(let talk, let recovery):
            if call.addresses == path.addresses {
                talkAgain(call, talk)
            } else {
                move(call, talk, since: recovery.since)
            }
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func waitForPath(_ id: CallID, since: Instant) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk):
            phone[id]?.state = .reconnecting(talk, Recovery(since: since, until: since + policy.networkTime))
        case .reconnecting(let talk, let recovery):
            // Gone again, before the far end knew where we were.
            let until = min(since + policy.networkTime, recovery.since + policy.reconnectTime)
            phone[id]?.state = .reconnecting(talk, Recovery(since: recovery.since, until: until))
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Tells the far end where we are. Until it has heard, nobody knows where it looks for us.
    private mutating func move(_ call: Call, _ talk: Talk, since: Instant) {
        guard let leg = call.leg else { return }
        let recovery = Recovery(since: since, until: since + policy.reconnectTime, isMoving: true)
        phone[call.id]?.state = .reconnecting(talk, recovery)
        phone[call.id]?.addresses = nil
        emit(.line(.move(leg)))
    }

    /// The far end knows where we are now, or does not follow.
    mutating func moved(_ call: Call, _ negotiated: NegotiatedMedia?) {
        switch call.state {
        case .reconnecting(let talk, let recovery):
            guard recovery.isMoving else { return }
            guard let negotiated else { return end(call.id, .networkLost) }
            var (call, talk) = (call, talk)
            talk.negotiated = negotiated
            call.addresses = phone.network.believed?.addresses
            emit(.media(.update(call.id, talk.negotiatedForMedia)))
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
