import Base

/// Blind and attended transfer, and the conference.
extension Transition {
    /// Blind transfer: the far end calls the target.
    mutating func transfer(_ wanted: CallID?, to text: String, as action: ActionID) throws(ActionFailure) {
        let call = try meantOrFocus(wanted) { $0.state.reachableTalk != nil }
        guard let target = DialTarget(text, policy: policy) else { throw .invalidTarget }
        let leg = try transferable(call)
        begin(action, .transfer, call.id, within: policy.actionTime)
        phone[call.id]?.transfer = CallTransfer(target: target.text)
        emit(.line(.transfer(leg, to: target.text)))
    }

    /// Attended transfer: the far ends of two calls talk to each other.
    ///
    /// While the second call still rings, this is a semi-attended transfer (RFC 5589). The phone ends its own call
    /// there, and the first far end calls the target. No phone may be asked to replace a call that it has not answered
    /// (RFC 3891 §3).
    mutating func connect(_ first: CallID, _ second: CallID, as action: ActionID) throws(ActionFailure) {
        guard first != second, let call = phone[first], let other = phone[second] else { throw .noSuchCall }
        if case .ringingOut = other.state, other.replacement == nil {
            _ = try transferable(call)
            guard DialTarget(other.who.number, policy: policy) != nil else { throw .invalidTarget }
            end(second, .transferred)
            return try transfer(first, to: other.who.number, as: action)
        }
        guard call.account == other.account else { throw .notSupported }
        let (leg, otherLeg) = (try transferable(call), try transferable(other))
        begin(action, .transfer, first, within: policy.actionTime)
        phone[first]?.transfer = CallTransfer(target: other.who.name ?? other.who.number, partner: second)
        emit(.line(.connect(leg, otherLeg)))
    }

    private func transferable(_ call: Call) throws(ActionFailure) -> CallID {
        guard policy.canTransfer(call) else { throw .notSupported }
        guard !phone.actions.contains(.transfer), call.transfer == nil else { throw .alreadyUnderWay }
        guard call.state.reachableTalk != nil, let leg = call.leg else { throw .wrongState }
        return leg
    }

    /// Whether the transfer key may begin a transfer of this call. If not, a notice reports it before the call is held.
    mutating func mayTransfer(_ call: Call) -> Bool {
        guard !policy.canTransfer(call) else { return true }
        let reason = "the server of its account does not support transfer"
        notice(.trouble("the call with \(call.who.words) cannot be transferred: \(reason)", .transferRefused))
        return false
    }

    /// The far end accepts the transfer or refuses it. The call stays until the outcome is known.
    mutating func transferSettled(_ call: Call, _ isAccepted: Bool) {
        guard let transfer = call.transfer else { return }
        settle(.transfer, of: call.id, isAccepted ? .fulfilled : .failed(.refusedThere))
        guard !isAccepted else { return }
        phone[call.id]?.transfer = nil
        tellFailure(of: transfer, call)
    }

    /// The transfer succeeded, or it failed and the far end is still connected with us.
    mutating func transferred(_ call: Call, _ isDone: Bool) {
        guard let transfer = call.transfer else { return }
        phone[call.id]?.transfer = nil
        settle(.transfer, of: call.id, isDone ? .fulfilled : .failed(.refusedThere))
        if isDone {
            end(call.id, .transferred)
            if let partner = transfer.partner { end(partner, .transferred) }
        } else {
            tellFailure(of: transfer, call)
            takeBack(call)
        }
    }

    private mutating func tellFailure(of transfer: CallTransfer, _ call: Call) {
        notice(.transferFailed(phone.summary(of: call, policy), to: transfer.target))
    }

    /// Resumes a call that was held only to be transferred.
    private mutating func takeBack(_ call: Call) {
        guard call.ownHold == .on, !phone.calls.contains(where: \.hasUserAudio) else { return }
        attendCall()
        perform(.resume(call.id), as: panelAction())
    }

    /// The reason for an end that the line reports. A far end that was transferred hangs up its call with us.
    func reasonOnTheWire(_ call: Call, _ reason: EndReason) -> EndReason {
        guard reason == .hungUpThere else { return reason }
        let isGivenAway = call.transfer != nil || phone.calls.contains { $0.transfer?.partner == call.id }
        let isSucceeded = phone.calls.contains { $0.replacement?.predecessor == call.id }
        return isGivenAway || isSucceeded ? .transferred : reason
    }

    /// Joins two calls in a conference: the held one is resumed beside the other.
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

    /// Ends the conference when one of its calls has ended or is held.
    mutating func keepConference() {
        guard phone.conference else { return }
        phone.conference = phone.calls.count { $0.isUp && $0.ownHold != .on } > 1
    }
}

extension PhonePolicy {
    /// Whether the server of the call's account can transfer a far end.
    func canTransfer(_ call: Call) -> Bool { withoutTransfer?.contains(call.account) != true }
}

/// One call replaces another: because its far end asked us to call another target, or because another party takes over
/// from that far end.
extension Transition {
    /// Calls the target that the far end of a call asked for.
    mutating func follow(_ call: Call, _ leg: CallID, to number: String) {
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        begin(panelAction(), .start, id, within: policy.startTime)
        var next = Call(
            id: id, direction: .outgoing, who: Identity(number: number), account: call.account, started: now, leg: id,
            replacement: CallReplacement(cause: .referral, predecessor: call.id, leg: leg),
            state: .ringingOut(.preparing(nil)))
        next.who.find(in: phone.contacts)
        phone.calls.append(next)
        emit(.media(.open(id, call.account)))
        wakeLine(of: next)
    }

    /// Whether a new call may follow this one. It may only if a person is in this call and no call is about to take the
    /// audio focus.
    func mayBeSucceeded(_ call: Call) -> Bool {
        guard !hasSuccessor(call), !phone.calls.contains(where: \.isTakingAudioFocus) else { return false }
        return call.state.reachableTalk?.ownHold == .off
    }

    /// Whether another call may replace this one. Only one may, and only once this one has replaced its own
    /// predecessor. Any further call is treated like an ordinary one.
    func mayBeReplaced(_ call: Call) -> Bool {
        call.isLive && call.replacement == nil && !hasSuccessor(call) && hasSpareCall
    }

    private func hasSuccessor(_ call: Call) -> Bool {
        phone.calls.contains { $0.replacement?.predecessor == call.id }
    }

    /// A call that replaces another one is offered. It is answered at once if a person is in that call, or waits for
    /// its far end. Otherwise it rings like any other call.
    mutating func replacementOffered(_ leg: CallID, _ caller: Caller, for call: Call, _ replacedLeg: CallID) {
        var next = Call(
            id: leg, direction: .incoming, who: Identity(caller), account: caller.account, started: now, leg: leg,
            replacement: CallReplacement(cause: .replacement, predecessor: call.id, leg: replacedLeg))
        next.who.find(in: phone.contacts)
        announce(next)
        guard phone[leg]?.isRinging == true, call.hasUserAudio else { return }
        perform(.answer(leg), as: panelAction())
        phone[leg]?.answerer = call.answerer == .nobody ? .nobody : .program
    }

    /// The call is up. The call that it replaces ends before this one is heard.
    ///
    /// - Returns: Whether the person was muted, and so stays muted.
    mutating func succeed(_ id: CallID) -> Bool {
        guard let replacement = phone[id]?.replacement else { return false }
        phone[id]?.replacement = nil
        let isMuted = phone[replacement.predecessor]?.talk?.muted ?? false
        end(replacement.predecessor, .transferred)
        return isMuted
    }

    /// Resumes the call that was held for this one, which has ended.
    ///
    /// - Returns: Whether there is such a call.
    mutating func comeBack(after call: Call, _ reason: EndReason) -> Bool {
        guard phone.mode == .running, let replacement = call.replacement, replacement.cause == .referral,
            let before = phone[replacement.predecessor], let talk = before.talk
        else { return false }
        // A person who hangs up leaves the whole conversation.
        if reason == .hungUpHere {
            end(before.id, .hungUpHere)
        } else if talk.ownHold == .on {
            perform(.resume(before.id), as: panelAction())
        }
        return true
    }
}

extension Call {
    /// Whether this call takes over from that one without holding it first.
    func takesOver(from other: Call) -> Bool {
        replacement.map { $0.cause == .replacement && $0.predecessor == other.id } ?? false
    }
}

/// A far end wants us to call another target. No call is made, and nothing is sent, before a person agrees or the
/// owner's list permits it.
extension Transition {
    /// The far end of a call asks for another call in its place (REFER).
    ///
    /// The phone allows it only for the call that a person is in, while no call is about to take the audio focus.
    mutating func referred(_ call: Call, to target: String) {
        ask(.transfer, target, about: call, if: mayBeSucceeded(call) && hasSpareCall)
    }

    /// The called party redirects us to another target.
    mutating func redirected(_ call: Call, to target: String) {
        let isCalling = if case .ringingOut(.dialled) = call.state { true } else { false }
        ask(.redirection, target, about: call, if: isCalling)
    }

    /// Whether a person can be asked. A call that the phone answered automatically has no person.
    private func mayBeSentElsewhere(_ call: Call) -> Bool {
        policy.followsTransfers && phone.mode == .running && call.answerer != .nobody && call.question == nil
    }

    private mutating func ask(
        _ cause: TransferQuestion.Cause, _ target: String, about call: Call, if isPossible: Bool
    ) {
        guard mayBeSentElsewhere(call), isPossible else {
            let question = TransferQuestion(cause: cause, target: target, until: now)
            decline(question, of: call)
            return notice(.transferAnswered(call.id, question, .refused))
        }
        let question = TransferQuestion(cause: cause, target: target, until: now + policy.consentTime)
        if policy.allowsTransfer(to: question.target) {
            agree(to: question, of: call)
            return notice(.transferAnswered(call.id, question, .listed))
        }
        phone[call.id]?.question = question
        if let asked = phone[call.id] { notice(.transferAsked(phone.summary(of: asked, policy), question)) }
    }

    /// Tells the line that the target is not called.
    private mutating func decline(_ question: TransferQuestion, of call: Call) {
        guard let leg = call.leg else { return }
        switch question.cause {
        case .transfer: emit(.line(.declineReferral(leg)))
        case .redirection: emit(.line(.redirect(leg, false)))
        }
    }

    // MARK: The answer

    mutating func acceptTransfer(_ wanted: CallID?) throws(ActionFailure) {
        let (call, question) = try asked(wanted)
        if question.cause == .transfer {
            guard mayBeSucceeded(call) else { throw .wrongState }
            guard hasSpareCall else { throw .noRoom }
        }
        phone[call.id]?.question = nil
        notice(.transferAnswered(call.id, question, .accepted))
        agree(to: question, of: call)
    }

    mutating func declineTransfer(_ wanted: CallID?) throws(ActionFailure) {
        let (call, question) = try asked(wanted)
        settle(question, of: call, .declined)
    }

    /// The person did not answer in time.
    mutating func questionDue(_ id: CallID) {
        guard let call = phone[id], let question = call.question else { return }
        settle(question, of: call, .expired)
    }

    private func asked(_ wanted: CallID?) throws(ActionFailure) -> (Call, TransferQuestion) {
        let call = try meant(wanted) { $0.question != nil }
        guard let question = call.question else { throw .wrongState }
        return (call, question)
    }

    private mutating func settle(_ question: TransferQuestion, of call: Call, _ answer: TransferAnswer) {
        phone[call.id]?.question = nil
        notice(.transferAnswered(call.id, question, answer))
        decline(question, of: call)
    }

    private mutating func agree(to question: TransferQuestion, of call: Call) {
        guard let leg = call.leg else { return }
        switch question.cause {
        case .transfer: follow(call, leg, to: question.target)
        case .redirection:
            // The party that answers now is not the one that a person dialled.
            phone[call.id]?.vouched = nil
            if case .ringingOut(.dialled(_, let alerting, let early)) = call.state {
                let until = now + policy.ringingOutTime
                phone[call.id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: early))
            }
            emit(.line(.redirect(leg, true)))
        }
    }
}

extension PhonePolicy {
    /// Whether the list permits a call to this number for a far end. The list contains numbers only, no addresses.
    fileprivate func allowsTransfer(to target: String) -> Bool {
        switch transferTargets?.verdict(target) {
        case .complete, .mayGrow: true
        case .emergency, .partial, .noMatch, nil: false
        }
    }
}
