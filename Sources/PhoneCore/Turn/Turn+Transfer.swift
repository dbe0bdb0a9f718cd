import Base

/// More than two people: transfer, blind and attended, and the conference.
extension Turn {
    /// Blind: the far end calls somebody else.
    mutating func transfer(_ wanted: CallID?, to text: String, as action: ActionID) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard let target = DialTarget(text, policy: policy) else { throw .invalidTarget }
        let leg = try transferable(call)
        begin(action, .transfer, call.id, within: policy.actionTime)
        phone[call.id]?.handover = CallTransfer()
        emit(.line(.transfer(leg, to: target.text)))
    }

    /// Attended: the far ends of two calls talk to each other.
    mutating func connect(_ first: CallID, _ second: CallID, as action: ActionID) throws(ActionFailure) {
        guard first != second, let call = phone[first], let other = phone[second] else { throw .noSuchCall }
        guard call.account == other.account else { throw .notSupported }
        let (leg, otherLeg) = (try transferable(call), try transferable(other))
        begin(action, .transfer, first, within: policy.actionTime)
        phone[first]?.handover = CallTransfer(partner: second)
        emit(.line(.connect(leg, otherLeg)))
    }

    private func transferable(_ call: Call) throws(ActionFailure) -> CallID {
        guard !phone.actions.contains(.transfer), call.handover == nil else { throw .alreadyUnderWay }
        guard call.state.reachableTalk != nil, let leg = call.leg else { throw .wrongState }
        return leg
    }

    /// The far end takes it on, or does not. Until it is known what came of it the call stays.
    mutating func transferSettled(_ call: Call, _ isAccepted: Bool) {
        guard call.handover != nil else { return }
        if !isAccepted { phone[call.id]?.handover = nil }
        settle(.transfer, of: call.id, isAccepted ? .fulfilled : .failed(.refusedThere))
    }

    /// The far end talks to somebody else now, or is still ours.
    mutating func transferred(_ call: Call, _ isDone: Bool) {
        guard let handover = call.handover else { return }
        phone[call.id]?.handover = nil
        settle(.transfer, of: call.id, isDone ? .fulfilled : .failed(.refusedThere))
        if isDone {
            end(call.id, .transferred)
            if let partner = handover.partner { end(partner, .transferred) }
        } else {
            notice(.trouble("\(call.id) could not be transferred"))
            takeBack(call)
        }
    }

    /// Whoever put a call aside only to give it away has it again.
    private mutating func takeBack(_ call: Call) {
        guard call.ownHold == .on, !phone.calls.contains(where: \.hasUserAudio) else { return }
        attendCall()
        perform(.resume(call.id), as: panelAction())
    }

    /// Why a call ended that its far end left: a far end that was handed over goes.
    func reasonOnTheWire(_ call: Call, _ reason: EndReason) -> EndReason {
        guard reason == .hungUpThere else { return reason }
        let isGivenAway = call.handover != nil || phone.calls.contains { $0.handover?.partner == call.id }
        let isSucceeded = phone.calls.contains { $0.succession?.predecessor == call.id }
        return isGivenAway || isSucceeded ? .transferred : reason
    }

    /// The voices of the two calls hear each other: the held one is taken back beside the other.
    mutating func confer() throws(ActionFailure) {
        guard policy.mixesCalls else { throw .notSupported }
        guard !phone.conference else { throw .alreadyUnderWay }
        let up = phone.calls.filter(\.isUp)
        let held = up.filter { $0.ownHold == .on }
        guard up.count == 2, held.count == 1, !phone.calls.contains(where: \.isTakingAudioFocus) else {
            throw .wrongState
        }
        let isMuted = phone.focus?.talk?.muted ?? false
        phone.conference = true
        phone.consultation = nil
        editTalk(held[0].id) { talk, _ in (talk.ownHold, talk.muted) = (.queued, isMuted) }
    }

    /// A conference is over when one of its calls is, or is held.
    mutating func keepConference() {
        guard phone.conference else { return }
        phone.conference = phone.calls.count { $0.isUp && $0.ownHold != .on } > 1
    }
}

/// One call takes the place of another: because its far end asked us to call somebody else, or because somebody else
/// takes over from it.
extension Turn {
    /// Calls whom the far end of a call asked for.
    mutating func follow(_ call: Call, _ leg: CallID, to number: String) {
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        begin(panelAction(), .start, id, within: policy.startTime)
        var next = Call(
            id: id, direction: .outgoing, who: Identity(number: number), account: call.account, started: now, leg: id,
            succession: CallReplacement(cause: .referral, predecessor: call.id, leg: leg),
            state: .ringingOut(.preparing(nil)))
        next.who.find(in: phone.contacts)
        phone.calls.append(next)
        emit(.media(.open(id)))
        wakeLine(of: next)
    }

    /// Done only for the call that a person is in, when nothing else is on its way to the sound.
    func mayBeSucceeded(_ call: Call) -> Bool {
        guard !hasSuccessor(call), !phone.calls.contains(where: \.isTakingAudioFocus) else { return false }
        return call.state.reachableTalk?.ownHold == .off
    }

    /// One call takes its place, once it has its own. Whoever comes behind that one is a call like any other.
    func mayBeReplaced(_ call: Call) -> Bool {
        call.isLive && call.succession == nil && !hasSuccessor(call) && hasSpareCall
    }

    private func hasSuccessor(_ call: Call) -> Bool {
        phone.calls.contains { $0.succession?.predecessor == call.id }
    }

    /// A call that takes the place of another one is offered. When a person is in that one, or waits for its far end, it
    /// is answered at once; else it rings like any other.
    mutating func replacementOffered(_ leg: CallID, _ caller: Caller, for call: Call, _ replacedLeg: CallID) {
        var next = Call(
            id: leg, direction: .incoming, who: Identity(caller), account: caller.account, started: now, leg: leg,
            succession: CallReplacement(cause: .replacement, predecessor: call.id, leg: replacedLeg))
        next.who.find(in: phone.contacts)
        announce(next)
        guard phone[leg]?.isRinging == true, call.hasUserAudio else { return }
        perform(.answer(leg), as: panelAction())
        phone[leg]?.answerer = call.answerer == .nobody ? .nobody : .program
    }

    /// The call is up: the one whose place it takes is over, before this one sounds.
    ///
    /// - Returns: whether the person was muted, and so stays.
    mutating func succeed(_ id: CallID) -> Bool {
        guard let succession = phone[id]?.succession else { return false }
        phone[id]?.succession = nil
        let isMuted = phone[succession.predecessor]?.talk?.muted ?? false
        end(succession.predecessor, .transferred)
        return isMuted
    }

    /// The call that was put aside for its successor is there again.
    ///
    /// - Returns: whether there is one.
    mutating func comeBack(after call: Call, _ reason: EndReason) -> Bool {
        guard phone.mode == .running, let succession = call.succession, succession.cause == .referral,
            let before = phone[succession.predecessor], let talk = before.talk
        else { return false }
        // Whoever hangs up leaves the whole conversation.
        if reason == .hungUpHere {
            end(before.id, .hungUpHere)
        } else if talk.ownHold == .on {
            perform(.resume(before.id), as: panelAction())
        }
        return true
    }
}

extension Call {
    /// It takes over from that call without putting it aside first.
    func takesOver(from other: Call) -> Bool {
        succession.map { $0.cause == .replacement && $0.predecessor == other.id } ?? false
    }
}
