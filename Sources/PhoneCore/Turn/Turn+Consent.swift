import Base

/// A far end wants us to call somebody else. Nobody is called, and nothing is sent, before a person agrees or a list that
/// the phone's owner wrote.
extension Turn {
    /// The far end of a call asks for another call in its place.
    ///
    /// It needs the call that a person is in, and nothing else on its way to the sound.
    mutating func referred(_ call: Call, to target: String) {
        ask(.transfer, target, about: call, if: mayBeSucceeded(call) && hasSpareCall)
    }

    /// Whom we called sends us elsewhere.
    mutating func redirected(_ call: Call, to target: String) {
        let isCalling = if case .ringingOut(.placed) = call.state { true } else { false }
        ask(.redirection, target, about: call, if: isCalling)
    }

    /// Where a person can be asked: one that the phone answered by itself has nobody.
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

    /// Tells the line that nobody is called.
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

    /// Nobody said anything.
    mutating func questionDue(_ id: CallID) {
        guard let call = phone[id], let question = call.question else { return }
        settle(question, of: call, .expired)
    }

    private func asked(_ wanted: CallID?) throws(ActionFailure) -> (Call, TransferQuestion) {
        let call = wanted.map { phone[$0] } ?? phone.calls.first { $0.question != nil }
        guard let call else { throw .noSuchCall }
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
            // Whoever answers now is not whom a person dialled.
            phone[call.id]?.vouched = nil
            if case .ringingOut(.placed(_, let alerting, let early)) = call.state {
                let until = now + policy.ringingOutTime
                phone[call.id]?.state = .ringingOut(.placed(until: until, alerting: alerting, early: early))
            }
            emit(.line(.redirect(leg, true)))
        }
    }
}

extension PhonePolicy {
    /// Whether the list lets this number be called because a far end says so. An address is on no list.
    fileprivate func allowsTransfer(to target: String) -> Bool {
        switch transferTargets?.verdict(target) {
        case .complete, .mayGrow: true
        case .emergency, .partial, .noMatch, nil: false
        }
    }
}
