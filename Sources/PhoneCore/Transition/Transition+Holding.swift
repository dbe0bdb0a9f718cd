import Base

/// Our hold and the far end's hold, which are separate. The microphone's gate follows from the state and is not set
/// here.
extension Transition {
    mutating func hold(_ wanted: CallID?, by action: ActionID) throws(ActionFailure) {
        let call = try meantOrFocus(wanted) { $0.state.reachableTalk?.ownHold == .off }
        guard let talk = call.state.reachableTalk else { throw .wrongState }
        switch talk.ownHold {
        case .off: hold(call.id, as: action)
        case .asking, .queued, .releasing: throw .alreadyUnderWay
        case .on: throw .wrongState
        }
    }

    /// - Precondition: the call is up and not held here.
    mutating func hold(_ id: CallID, as action: ActionID) {
        guard let leg = phone[id]?.leg else { return }
        begin(action, .hold, id, within: policy.actionTime)
        emit(.line(.hold(leg, true)))
        editTalk(id) { talk, transition in
            talk.ownHold = .asking(until: transition.now + transition.policy.negotiationTime)
        }
    }

    mutating func resume(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        let call = try meant(wanted ?? (phone.calls.contains { $0.ownHold == .on } ? nil : phone.heldHere?.id)) {
            $0.ownHold == .on
        }
        guard let talk = call.state.reachableTalk else { throw .wrongState }
        switch talk.ownHold {
        case .on:
            guard !phone.calls.contains(where: \.isTakingAudioFocus) else { throw .alreadyUnderWay }
            begin(action, .resume, call.id, within: policy.actionTime)
            editTalk(call.id) { talk, _ in talk.ownHold = .queued }
        case .asking, .queued, .releasing: throw .alreadyUnderWay
        case .off: throw .wrongState
        }
    }

    mutating func toggleHold(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        let call = try meantOrFocus(wanted) { $0.state.reachableTalk != nil }
        if call.isHeldHere { return try resume(call.id, as: action) }
        try hold(call.id, by: action)
    }

    /// The line reports the answer to our hold or resume. Nil, or no answer in time: the old terms apply.
    mutating func holdSettled(_ id: CallID, _ negotiated: NegotiatedMedia?) {
        guard let talk = phone[id]?.talk else { return }
        let outcome: ActionOutcome = negotiated == nil ? .failed(.refusedThere) : .fulfilled
        switch talk.ownHold {
        case .asking:
            // A person who wanted not to be heard must not be heard because the hold failed: the call is muted, and the
            // mute lamp shows it. A person who only wanted to talk to another party is heard again.
            let staysMuted = negotiated == nil && phone.claimant == nil && phone.consultation?.of != id
            editTalk(id) { talk, _ in talk.ownHold = negotiated == nil ? .off : .on }
            if staysMuted, let call = phone[id] { setMute(true, of: call) }
            settle(.hold, of: id, outcome)
            if negotiated == nil {
                withdrawClaim(.refusedThere)
                giveUpConsulting(id)
            }
        case .releasing:
            editTalk(id) { talk, _ in talk.ownHold = negotiated == nil ? .on : .off }
            settle(.resume, of: id, outcome)
        case .off, .on, .queued:
            return
        }
        if let negotiated { update(id, negotiated) }
    }

    /// Both ends sent an offer at once, and ours has to wait for its next attempt. The actions that wait for it get
    /// more time.
    mutating func holdDelayed(_ call: Call, by delay: Duration) {
        switch call.ownHold {
        case .asking, .releasing: break
        case .off, .on, .queued, nil: return
        }
        let due = now + min(max(delay, .zero), policy.negotiationTime) + policy.actionTime
        phone.actions.extend(.hold, of: call.id, to: due)
        phone.actions.extend(.resume, of: call.id, to: due)
        if let claimant = phone.claimant { phone.actions.extend(.resume, of: claimant.id, to: due) }
    }

    /// The far end changed the terms: it held or resumed us, or moved.
    mutating func renegotiated(_ id: CallID, _ negotiated: NegotiatedMedia, heldThere: Bool) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .active, .onHold, .reconnecting:
            editTalk(id) { talk, _ in talk.heldThere = heldThere }
            update(id, negotiated)
        case .connecting(var connecting):
            // A server that connects the media of the two ends directly renegotiates as soon as they agree.
            guard case .settingUp = connecting.stage else { return }
            connecting.stage = .settingUp(negotiated, heldThere: heldThere)
            phone[id]?.state = .connecting(connecting)
            emit(.media(.update(id, negotiated)))
        case .idle, .ringingIn, .ringingOut, .disconnecting, .ended, .failed:
            return
        }
    }

    // MARK: Recall of a held call

    /// A person has hung up and left a call on hold. The phone rings for that call, so that its far end does not wait
    /// in vain.
    mutating func ringBack() {
        guard let left = phone.calls.first(where: { $0.ownHold == .on }) else { return }
        phone.recall = Recall(call: left.id, until: now + policy.ringingInTime)
    }

    /// A person comes back to the call that the phone rings for.
    /// - Returns: Whether there is one.
    @discardableResult
    mutating func takeRecall() -> Bool {
        guard let recall = phone.recall else { return false }
        phone.recall = nil
        phone.userAudio = .inCall
        perform(.resume(recall.call), as: panelAction())
        return true
    }

    /// The phone stops ringing for a call that has ended or is to be heard again, and when a person uses the phone.
    mutating func keepRecall() {
        guard let recall = phone.recall else { return }
        let isUsed = phone.userAudio != .closed || phone.calls.contains(where: \.hasUserAudio)
        if isUsed || phone[recall.call]?.ownHold != .on || phone.mode != .running { phone.recall = nil }
    }

    mutating func stopQueueing(_ id: CallID) {
        editTalk(id) { talk, _ in
            if talk.ownHold == .queued { talk.ownHold = .on }
        }
    }

    /// There is one microphone: in a conference it is open to all calls or to none.
    mutating func setMute(_ muted: Bool, of call: Call) {
        for other in phone.calls where other.id == call.id || phone.conference && other.hasUserAudio {
            editTalk(other.id) { talk, _ in talk.muted = muted }
        }
    }

    private mutating func update(_ id: CallID, _ negotiated: NegotiatedMedia) {
        editTalk(id) { talk, transition in
            talk.negotiated = negotiated
            let negotiated = talk.negotiatedForMedia(playsMusic: transition.policy.playsHoldMusic)
            transition.emit(.media(.update(id, negotiated)))
        }
    }

    /// Changes a call that is up, and with it whether it counts as active or held.
    mutating func editTalk(_ id: CallID, _ change: (inout Talk, inout Transition) -> Void) {
        guard var call = phone[id], var talk = call.talk else { return }
        change(&talk, &self)
        switch call.state {
        case .active: call.state = talk.state
        case .onHold: becomeTalking(&call, talk)
        case .reconnecting(_, let recovery): call.state = .reconnecting(talk, recovery)
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed: return
        }
        phone[id] = call
    }

    /// Makes the call active or held. If silence was permitted until now, the whole time for silence starts here.
    func becomeTalking(_ call: inout Call, _ talk: Talk) {
        let wasForgiven = call.silenceDue == nil
        call.state = talk.state
        if call.lostAt != nil, wasForgiven { call.lostAt = now + policy.silenceTime }
    }
}
