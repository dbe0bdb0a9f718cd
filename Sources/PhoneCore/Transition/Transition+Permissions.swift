import Base

/// A far end wants us to call another target. No call is made, and nothing is sent, before a person agrees or a list
/// permits it that the phone's owner wrote.
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

    /// Whether a person can be asked. In a call that the phone answered automatically there is none.
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
    /// Whether the list permits a call to this number for a far end. An address is on no list.
    fileprivate func allowsTransfer(to target: String) -> Bool {
        switch transferTargets?.verdict(target) {
        case .complete, .mayGrow: true
        case .emergency, .partial, .noMatch, nil: false
        }
    }
}

/// Relay codes that a far end dials, for example to open a door.
///
/// Only listed callers may dial codes, identified by a number that a trusted source vouches for. Wrong codes are
/// counted over all calls and over restarts. Every third one locks all codes, for a time that doubles.
extension Transition {
    mutating func workRelays(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id], call.phase == .active else { return }
        let codes = policy.codes(for: call)
        guard !codes.isEmpty else { return }
        guard let attempt = phone[id]?.entry.take(symbol, at: now) else { return }
        if let lock = phone.codesLockedUntil, lock > now {
            return notice(.codeTried(id, .locked(seconds: Self.seconds(lock - now))))
        }
        let worked = codes.filter { equalsInConstantTime($0.code, attempt) }.map(\.relay)
        guard !worked.isEmpty else { return wrongCode(id) }
        if phone.settings.wrongCodes > 0 { change { $0.wrongCodes = 0 } }
        for number in worked {
            guard let relay = policy.relays[number], !relay.once || !call.relaysWorked.contains(number) else {
                continue
            }
            phone[id]?.relaysWorked.insert(number)
            phone.relays[number] = .pulse(until: now + relay.pulse)
            notice(.codeTried(id, .right(relay: number)))
        }
    }

    /// Another party is at the far end than the one for which a trusted source vouches. Its rights do not come back in
    /// this call, even if the first party does.
    mutating func endRights(of call: Call) {
        guard call.vouched != nil else { return }
        if !policy.codes(for: call).isEmpty {
            notice(.trouble("\(call.id) has another far end now, so relay codes are not taken in this call any more"))
        }
        phone[call.id]?.vouched = nil
        phone[call.id]?.entry = CodeEntry()
    }

    private mutating func wrongCode(_ id: CallID) {
        change { $0.wrongCodes = min($0.wrongCodes + 1, CodeLock.mostCounted) }
        let wrong = phone.settings.wrongCodes
        // The count stays at its limit, a multiple of three. So each further wrong code locks for the longest time.
        if wrong.isMultiple(of: CodeLock.tries), let time = CodeLock.time(after: wrong) {
            phone.codesLockedUntil = now + time
            notice(.codeTried(id, .locked(seconds: Self.seconds(time))))
        } else {
            notice(.codeTried(id, .wrong(left: CodeLock.tries - wrong % CodeLock.tries)))
        }
    }

    /// Wrong codes from before the restart still count. The lock begins anew, because no clock ran meanwhile.
    mutating func rememberWrongCodes(_ wrong: Int) {
        guard let time = CodeLock.time(after: wrong) else { return }
        phone.codesLockedUntil = now + time
    }

    /// Every code is compared in full, independent of the dialled digits.
    private func equalsInConstantTime(_ code: RelayCode, _ attempt: [DTMFSymbol]?) -> Bool {
        Base.equalsInConstantTime(
            code.symbols.map(\.rawValue), (attempt ?? []).map(\.rawValue), length: RelayCode.lengths.upperBound)
    }

    private static func seconds(_ time: Duration) -> Int {
        Int(time.components.seconds) + (time.components.attoseconds > 0 ? 1 : 0)
    }
}

extension PhonePolicy {
    /// The codes that the far end of this call may dial, in the order of their relays.
    fileprivate func codes(for call: Call) -> [(relay: UInt8, code: RelayCode)] {
        guard let caller = call.vouched else { return [] }
        return relays.sorted { $0.key < $1.key }.compactMap { number, relay in
            guard let code = relay.code, code.directions.contains(call.direction),
                code.accounts?.contains(call.account) ?? true, code.callers.contains(where: { $0.matches(caller) })
            else { return nil }
            return (number, code)
        }
    }
}
