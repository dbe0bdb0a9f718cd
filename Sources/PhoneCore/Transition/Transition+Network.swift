import Base

/// The network path breaks, comes back, or changes. Calls wait for it, and then move to the new addresses.
extension Transition {
    /// `PhonePolicy.networkBlipTime`: calls move to a new path after it.
    static let usualNetworkBlip = Duration.milliseconds(500)

    mutating func pathSeen(_ path: NetworkPath) {
        guard let change = phone.network.see(path, at: now) else { return }
        guard change.to.isUp else { return pathLost(since: change.since) }
        // Calls that are older than the first path report use that path.
        for index in phone.calls.indices { phone.calls[index].addresses = change.to.addresses }
    }

    /// The new path has lasted for `networkBlipTime`.
    mutating func pathDue() {
        guard let change = phone.network.believe() else { return }
        if change.from.kind != change.to.kind {
            notice(.networkTransition(from: change.from.kind, to: change.to.kind))
        }
        guard change.to.isUp else { return pathLost(since: change.since) }
        reconnectAccounts { $0 != .disconnected }
        for call in phone.calls { meetPath(call.id, since: change.since) }
    }

    /// Registers at once the accounts whose registration meets a condition.
    mutating func reconnectAccounts(where isMeant: (RegistrationState) -> Bool) {
        for account in accounts(where: isMeant) { emit(.line(.reconnect(account))) }
    }

    mutating func connectAccounts() {
        reconnectAccounts {
            switch $0 {
            case .failed, .disconnected: true
            case .notNeeded, .registering, .registered: false
            }
        }
    }

    mutating func disconnectAccounts() throws(ActionFailure) {
        // The change of the organisation registers, and would undo this.
        guard phone.switching == nil else { throw .alreadyUnderWay }
        for account in accounts(where: { $0 != .disconnected }) { emit(.line(.disconnect(account))) }
    }

    private func accounts(where isMeant: (RegistrationState) -> Bool) -> [AccountID] {
        phone.registrations.filter { isMeant($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private mutating func pathLost(since: Instant) {
        for call in phone.calls { waitForPath(call.id, since: since) }
    }

    /// Adapts a call to the current path. The call has just come up, or waits for a path.
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
            // The path broke again before the far end had our new addresses.
            let until = min(since + policy.networkTime, recovery.since + policy.reconnectTime)
            phone[id]?.state = .reconnecting(talk, Recovery(since: recovery.since, until: until))
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Tells the far end our new addresses. Until it answers, it is not known which of our addresses it uses.
    private mutating func move(_ call: Call, _ talk: Talk, since: Instant) {
        guard let leg = call.leg else { return }
        let hasICE = talk.negotiated.ice != nil
        let until = since + policy.reconnectTime
        let recovery = Recovery(since: since, until: until, isMoving: true, isGathering: hasICE)
        phone[call.id]?.state = .reconnecting(talk, recovery)
        phone[call.id]?.addresses = nil
        emit(hasICE ? .media(.gather(call.id)) : .line(.move(leg, nil)))
    }

    /// ICE lost the path of a call, or doubts it. Candidates are gathered again, as if our addresses had changed.
    mutating func pathDoubted(_ id: CallID) {
        guard let call = phone[id], phone.network.isUp else { return }
        switch call.state {
        case .active(let talk), .onHold(let talk): if talk.negotiated.ice != nil { move(call, talk, since: now) }
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: return
        }
    }

    /// The candidates of our new addresses are gathered. The far end needs them before there can be a path.
    mutating func gathered(_ id: CallID, _ endpoint: MediaEndpoint) {
        guard let call = phone[id], let leg = call.leg else { return }
        switch call.state {
        case .reconnecting(let talk, var recovery):
            guard recovery.isMoving else { return }
            recovery.isGathering = false
            phone[id]?.state = .reconnecting(talk, recovery)
            emit(.line(.move(leg, endpoint)))
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .disconnecting, .ended, .failed:
            return
        }
    }

    /// The far end has answered our move. Nil: it does not follow.
    mutating func moved(_ call: Call, _ negotiated: NegotiatedMedia?) {
        switch call.state {
        case .reconnecting(let talk, let recovery):
            guard recovery.isMoving else { return }
            var (call, talk) = (call, talk)
            // The addresses have changed again since that move was requested. The next move follows when its candidates
            // are known, whatever this answer says.
            guard !recovery.isGathering else {
                talk.negotiated = negotiated ?? talk.negotiated
                phone[call.id]?.state = .reconnecting(talk, recovery)
                return
            }
            guard let negotiated else { return end(call.id, .networkLost) }
            talk.negotiated = negotiated
            call.addresses = phone.network.believed?.addresses
            emit(.media(.update(call.id, talk.negotiatedForMedia(playsMusic: policy.playsHoldMusic))))
            talkAgain(call, talk)
        case .idle, .ringingIn, .ringingOut, .connecting, .active, .onHold, .disconnecting, .ended, .failed:
            return
        }
    }

    /// An account lost its registration, or has it again. Without it its calls keep their voice, but no
    /// request reaches their far ends.
    mutating func signallingChanged(
        of account: AccountID, from known: RegistrationState?, to registration: RegistrationState
    ) {
        let isLost: Bool
        switch registration {
        case .registering, .failed: isLost = true
        case .notNeeded, .registered, .disconnected: isLost = false
        }
        guard !isLost || known == .registered else { return }
        for index in phone.calls.indices where phone.calls[index].account == account {
            phone.calls[index].isSignallingLost = isLost && phone.calls[index].isUp ? true : nil
        }
    }

    private mutating func talkAgain(_ call: Call, _ talk: Talk) {
        var call = call
        becomeTalking(&call, talk)
        phone[call.id] = call
    }
}
