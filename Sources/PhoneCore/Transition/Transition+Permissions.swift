import Base

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

/// Relay codes that a far end dials, for example to open a door.
///
/// Only listed callers may dial codes, identified by a number that a trusted source vouches for. Wrong codes are
/// counted by caller and relay, over all calls and over restarts (`CodeTries`).
extension Transition {
    mutating func workRelays(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id], call.phase == .active || call.isAnsweredAndSettingUp else { return }
        let codes = policy.codes(for: call)
        guard !codes.isEmpty else { return }
        guard let attempt = phone[id]?.entry.take(symbol, at: now) else { return }
        let right = codes.filter { equalsInConstantTime($0.code, attempt) }.map(\.key)
        let open = codes.map(\.key).filter { phone.codeTries.lock(of: $0, at: now) == nil }
        guard !open.isEmpty else { return tellLocked(id, codes.map(\.key)) }
        let worked = open.filter(right.contains)
        guard !worked.isEmpty else { return wrongCode(id, open) }
        for key in worked { workRelay(of: key, id) }
    }

    /// The far end is another party than the one that a trusted source vouches for. The rights do not come back in this
    /// call, even if the first party does.
    mutating func endRights(of call: Call) {
        guard call.vouched != nil else { return }
        if !policy.codes(for: call).isEmpty {
            let words = "has another far end now, so relay codes are no longer accepted in this call"
            notice(.trouble("the call with \(call.who.words) \(words)", .codesRevoked))
        }
        phone[call.id]?.vouched = nil
        phone[call.id]?.entry = CodeEntry()
    }

    /// A code that works only once in a call does nothing, and forgives nothing, when it is dialled again.
    private mutating func workRelay(of key: CodeTries.Key, _ id: CallID) {
        guard let relay = policy.relays[key.relay], let call = phone[id],
            !relay.once || !call.relaysWorked.contains(key.relay)
        else { return }
        phone.codeTries.forgive(key)
        keepWrongCodes()
        phone[id]?.relaysWorked.insert(key.relay)
        phone.relays[key.relay] = .pulse(until: now + relay.pulse)
        notice(.codeTried(id, .right(relay: key.relay)))
    }

    /// The digits are the code of none of the relays that they could have opened, so they count as wrong for all of
    /// these.
    private mutating func wrongCode(_ id: CallID, _ keys: [CodeTries.Key]) {
        for key in keys { phone.codeTries.addWrong(key, at: now) }
        keepWrongCodes()
        let open = keys.filter { phone.codeTries.lock(of: $0, at: now) == nil }
        guard let left = open.map({ phone.codeTries.left(for: $0) }).min() else { return tellLocked(id, keys) }
        notice(.codeTried(id, .wrong(left: left)))
    }

    private mutating func keepWrongCodes() {
        let (wrong, kept) = (phone.codeTries.wrong, wrongCodesByCaller)
        change { ($0.wrongCodes, $0.wrongCodesByCaller) = (wrong, kept) }
    }

    /// The counts by the entries of the lists, which a changed configuration may order differently. Of too many, the
    /// highest ones are kept.
    private var wrongCodesByCaller: [PhoneSettings.WrongCodes]? {
        let all = phone.codeTries.counted.compactMap { counted -> PhoneSettings.WrongCodes? in
            guard let callers = policy.relays[counted.key.relay]?.code?.callers, counted.key.caller < callers.count
            else { return nil }
            return .init(relay: counted.key.relay, caller: callers[counted.key.caller], count: counted.wrong)
        }
        return all.isEmpty ? nil : Array(all.sorted { $0.count > $1.count }.prefix(PhoneSettings.WrongCodes.mostKept))
    }

    /// Counts the wrong codes of former runs. A caller who is no longer on the list of a relay has no rights there.
    mutating func rememberWrongCodes(_ settings: PhoneSettings) {
        if let known = settings.wrongCodesByCaller {
            for wrong in known.prefix(PhoneSettings.WrongCodes.mostKept) {
                let callers = policy.relays[wrong.relay]?.code?.callers ?? []
                guard let place = callers.firstIndex(of: wrong.caller) else { continue }
                phone.codeTries.remember(wrong.count, of: .init(relay: wrong.relay, caller: place), at: now)
            }
        } else {
            phone.codeTries.remember(settings.wrongCodes, at: now)
        }
        (phone.settings.wrongCodes, phone.settings.wrongCodesByCaller) = (phone.codeTries.wrong, wrongCodesByCaller)
    }

    private mutating func tellLocked(_ id: CallID, _ keys: [CodeTries.Key]) {
        guard let first = keys.compactMap({ phone.codeTries.lock(of: $0, at: now) }).min() else { return }
        notice(.codeTried(id, .locked(seconds: Self.seconds(first - now))))
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
    fileprivate func codes(for call: Call) -> [(key: CodeTries.Key, code: RelayCode)] {
        guard let caller = call.vouched else { return [] }
        return relays.sorted { $0.key < $1.key }.compactMap { number, relay in
            guard let code = relay.code, code.directions.contains(call.direction),
                code.accounts?.contains(call.account) ?? true,
                let place = code.callers.firstIndex(where: { $0.matches(caller) })
            else { return nil }
            return (CodeTries.Key(relay: number, caller: place), code)
        }
    }
}
