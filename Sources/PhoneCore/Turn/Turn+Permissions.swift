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

/// A far end dials: perhaps the code of a door.
///
/// Only a caller who is listed is listened to, by a number that somebody vouches for. Wrong codes are counted over all
/// calls and over restarts; every third one locks all codes, for a time that doubles.
extension Turn {
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

    private mutating func wrongCode(_ id: CallID) {
        change { $0.wrongCodes = min($0.wrongCodes + 1, CodeLock.mostCounted) }
        let wrong = phone.settings.wrongCodes
        // The last lock that can be is as long as the one before.
        if wrong.isMultiple(of: CodeLock.tries), let time = CodeLock.time(after: wrong) {
            phone.codesLockedUntil = now + time
            notice(.codeTried(id, .locked(seconds: Self.seconds(time))))
        } else {
            notice(.codeTried(id, .wrong(left: CodeLock.tries - wrong % CodeLock.tries)))
        }
    }

    /// What was wrong before the restart is wrong still: the lock begins anew, because no clock went on meanwhile.
    mutating func rememberWrongCodes(_ wrong: Int) {
        guard let time = CodeLock.time(after: wrong) else { return }
        phone.codesLockedUntil = now + time
    }

    /// Every code is compared in full, whatever was dialled.
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
