import Base

/// An incoming call: announced at once, or refused at once.
extension Transition {
    /// A line offers a call.
    mutating func offered(_ leg: CallID, _ caller: Caller) {
        // Calls from outside are numbered by their line; a repeated offer is the same call.
        guard case .line = leg.origin, phone.call(ofLeg: leg) == nil, phone[leg] == nil else { return }
        if let replaced = caller.replaces, let call = phone.call(ofLeg: replaced), mayBeReplaced(call) {
            return replacementOffered(leg, caller, for: call, replaced)
        }
        let who = Identity(caller)
        if let announced = announcedByInfo(who) { return merge(announced, leg, caller) }
        let past = phone.recentCalls.take(.offer, ids: who.ids, key: who.key)
        if let past, past.isRecorded, past.reason != .noOffer {
            return refuseAgain(leg, caller, who, past)
        }
        var call = Call(id: leg, direction: .incoming, who: who, account: caller.account, started: now, leg: leg)
        call.vouched = caller.vouched
        call.who.find(in: phone.contacts)
        let isLate = caller.arrived.map { now - $0 > policy.announceTime } ?? false
        announce(call, refusedFor: past.flatMap { $0.isRecorded ? nil : $0.reason } ?? (isLate ? .notAnnounced : nil))
        answerByItself(call.id, caller)
    }

    /// Refuses a call that caller info reported and that is over here. It is not announced again, and the history has
    /// it already.
    private mutating func refuseAgain(_ leg: CallID, _ caller: Caller, _ who: Identity, _ past: RecentCalls.Past) {
        emit(.line(.refuse(leg, past.reason.refusal(declinedAs: policy.declinedAs))))
        tellRefused(caller, who, from: nil, because: .overHere)
    }

    /// Announces a call from either source. No other function does.
    ///
    /// - Parameter reason: Why it must not be announced.
    mutating func announce(_ call: Call, refusedFor reason: EndReason? = nil, offerDue: Instant? = nil) {
        let reason = reason ?? whyRefused(call)
        phone.calls.append(call)
        if let reason {
            if reason == .notAnnounced { notice(.trouble("a call could not be announced in time", .notAnnounced)) }
            return end(call.id, reason)
        }
        let ringing = Ringing(until: now + policy.ringingInTime, offerDue: offerDue)
        phone[call.id]?.state = .ringingIn(ringing)
        if let leg = call.leg { emit(.line(.alert(leg))) }
        emit(.media(.open(call.id, call.account)))
    }

    /// Nil: the call may ring. A phone without room answers 486 (Busy Here). Before that, a line without room for
    /// another leg answers 486 by itself (`LineMachine.hasRoom` in LineCore).
    private func whyRefused(_ call: Call) -> EndReason? {
        guard phone.mode == .running else { return .shutDown }
        if isBlocked(call.who) { return .blocked }
        // The person takes part in the replaced call already.
        guard call.replacement == nil else { return hasSpareCall ? nil : .refusedBusy }
        if phone.settings.doNotDisturb { return .doNotDisturb }
        return phone.liveCalls < policy.maximumCalls && hasSpareCall ? nil : .refusedBusy
    }

    var hasSpareCall: Bool { phone.calls.count < policy.maximumCalls + PhoneState.spareCalls }

    /// A text for the display. A blocked caller may not send one either.
    mutating func textCame(from sender: Caller, _ text: String) {
        var who = Identity(sender)
        who.find(in: phone.contacts)
        guard !isBlocked(who) else { return }
        notice(.textReceived(TextMessage(account: sender.account, number: who.number, name: who.name, text: text)))
    }

    private func isBlocked(_ who: Identity) -> Bool {
        if policy.blocksWithheld, who.isWithheld || who.number.isEmpty { return true }
        guard let key = who.key else { return false }
        return policy.blocked.contains { NumberKey($0) == key }
            || phone.contacts.contains { $0.isBlocked && NumberKey($0.number) == key }
    }

    /// Answers automatically: only listed callers, and only while no person uses the phone.
    private mutating func answerByItself(_ id: CallID, _ caller: Caller) {
        guard let call = phone.summons, call.id == id, phone.userAudio == .closed else { return }
        guard let number = caller.vouched, policy.autoAnswer.callers.contains(where: { $0.matches(number) }) else {
            return
        }
        guard caller.wantsAutoAnswer || !policy.autoAnswer.onlyWhenAsked else { return }
        answer(call, on: policy.autoAnswer.route)
        phone[id]?.answerer = .nobody
    }

    /// The line offers a call that caller info announced. It is the same call and is announced only once.
    private mutating func merge(_ call: Call, _ leg: CallID, _ caller: Caller) {
        var call = call
        if !call.who.ids.isEmpty && !caller.ids.isEmpty && !call.who.shares(caller.ids) {
            notice(
                .trouble("the two sources of a call of \(call.who.words) have different ids for it", .callerInfoDiffers)
            )
        }
        let isElsewhere = call.account != caller.account
        call.leg = leg
        call.account = caller.account
        call.vouched = caller.vouched
        call.who.add(caller)
        call.who.find(in: phone.contacts)
        let isMerged = call.state.editRinging { ringing in
            ringing.offerDue = nil
            if isElsewhere { ringing.endpoint = nil }
        }
        guard isMerged else { return }
        phone[call.id] = call
        emit(.line(.alert(leg)))
        // The sockets follow the account: its calls find their paths in another way.
        if isElsewhere {
            emit(.media(.release(call.id)))
            emit(.media(.open(call.id, call.account)))
        }
        allowTime(call.id, until: now + policy.connectTime)
        answerByItself(call.id, caller)
    }

    /// The call that caller info announced and that this offer belongs to: by a common id, else by its number.
    private func announcedByInfo(_ who: Identity) -> Call? {
        let waiting = phone.calls.filter { $0.leg == nil && $0.isLive && $0.direction == .incoming }
        return waiting.first { $0.who.shares(who.ids) } ?? waiting.first { who.key != nil && $0.who.key == who.key }
    }
}

/// Calls that a line refused before this machine knew of them.
extension Transition {
    mutating func refused(_ caller: Caller, from address: String, because reason: CallRefusal) {
        var who = Identity(caller)
        who.find(in: phone.contacts)
        tellRefused(caller, who, from: address, because: reason)
        // A call that a person would have wanted goes into the history, and is shown until it is seen. A call that
        // caller info announced has its own entry, and waits for another offer.
        guard phone.mode == .running, announcedByInfo(who) == nil, let end = reason.missedAs else { return }
        phone.callsMade += 1
        let call = Call(
            id: CallID(.info, phone.callsMade), direction: .incoming, who: who, account: caller.account, started: now)
        phone.calls.append(call)
        self.end(call.id, isBlocked(who) ? .blocked : end, overOnTheWire: true)
    }

    /// Reports a call that was never announced. The reason goes into the log.
    private mutating func tellRefused(
        _ caller: Caller, _ who: Identity, from address: String?, because reason: CallRefusal
    ) {
        var who = who
        who.find(in: phone.contacts)
        phone.refusedCalls &+= 1
        notice(
            .callRefused(
                RefusedCall(account: caller.account, number: who.number, name: who.name, from: address, reason: reason))
        )
    }
}

/// Caller info, the second source of an incoming call. It may come before the offer, after it, instead of it, or too
/// late.
extension Transition {
    mutating func takeCallerInfo(_ event: CallerInfoEvent) {
        switch event {
        case .incoming(let told):
            let info = told.bounded
            settle(info, isFresh(info) ? informed(info) : .dropped)
        case .ended(let told):
            let info = told.bounded
            settle(info, isFresh(info) ? endedElsewhere(info) : .dropped)
        case .invalid(let why): notice(.trouble("caller info was dropped: \(why)", .callerInfoDropped))
        case .refused(let why): callerInfoRefused(why)
        }
    }

    private mutating func settle(_ info: CallerInfo, _ outcome: CallerInfoOutcome) {
        receipt = info.ticket.map { ($0, outcome) }
    }

    /// Reports that a message of caller info was dealt with. The report comes last, so that the channel delivers the
    /// message again if the program crashes before.
    mutating func reportInfo() {
        if let receipt { emit(.callerInfo(.settled(ticket: receipt.ticket, receipt.outcome))) }
    }

    private mutating func isFresh(_ info: CallerInfo) -> Bool {
        if now - info.sent <= policy.infoAge { return true }
        notice(.trouble("caller info was dropped: it is too old", .callerInfoDropped))
        return false
    }

    private mutating func informed(_ info: CallerInfo) -> CallerInfoOutcome {
        let who = Identity(info)
        if let known = told(of: who) {
            if !known.who.ids.isEmpty && !info.ids.isEmpty && !known.who.shares(info.ids) {
                notice(
                    .trouble(
                        "the two sources of a call of \(known.who.words) have different ids for it", .callerInfoDiffers)
                )
            }
            var who = known.who
            who.add(info)
            who.find(in: phone.contacts)
            phone[known.id]?.who = who
            return .merged
        }
        let past = phone.recentCalls.take(.info, ids: who.ids, key: who.key)
        if let past, past.isRecorded { return .merged }
        phone.callsMade += 1
        var call = Call(
            id: CallID(.info, phone.callsMade), direction: .incoming, who: who,
            account: phone.account(of: info, policy), started: now)
        call.who.find(in: phone.contacts)
        announce(call, refusedFor: past?.reason, offerDue: now + policy.offerTime)
        return phone[call.id] == nil ? .refused : .announced
    }

    /// Another phone answered the call. A call that is already answered here is a different one.
    private mutating func endedElsewhere(_ info: CallerInfo) -> CallerInfoOutcome {
        let who = Identity(info)
        guard let call = told(of: who, ending: true) else {
            // A remembered call is refused when it arrives. A caller that the phone knows already is not remembered,
            // because the next call may be a new one. Ringing once too often is the smaller harm.
            let isKnown = phone.recentCalls.knows(ids: who.ids, key: who.key) || told(of: who) != nil
            if !isKnown { remember(who, .answeredElsewhere, sources: [], isRecorded: false) }
            return isKnown ? .dropped : .ended
        }
        end(call.id, .answeredElsewhere)
        return .ended
    }

    /// The incoming call that caller info describes: the one with a common id, else one with the same number. The
    /// number decides only if no caller info has come for the call yet, or if one side has no ids.
    private func told(of who: Identity, ending: Bool = false) -> Call? {
        let candidates = phone.calls.filter { call in
            call.direction == .incoming && call.isLive && (!ending || call.waitsForAnswerOnTheWire)
        }
        if let named = candidates.first(where: { $0.who.shares(who.ids) }) { return named }
        guard who.key != nil else { return nil }
        return candidates.first { call in
            let isSame = call.who.key == who.key
            return isSame && (ending || !call.who.hasInfo || call.who.ids.isEmpty || who.ids.isEmpty)
        }
    }

    /// Remembers an ended call, for a source that has not reported it yet.
    mutating func remember(_ who: Identity, _ reason: EndReason, sources: [RecentCalls.Source], isRecorded: Bool) {
        phone.recentCalls.add(
            RecentCalls.Past(
                ids: who.ids, key: who.key, reason: reason, over: now, sources: sources, isRecorded: isRecorded))
    }
}

extension Call {
    /// The line has no answer for this call yet.
    fileprivate var waitsForAnswerOnTheWire: Bool {
        switch state {
        case .ringingIn: true
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: true
            case .answering, .settingUp: false
            }
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed: false
        }
    }
}

/// Ended incoming calls, remembered while their other source may still report them.
///
/// An incoming call may be reported twice: offered by a line, and by caller info. A report that comes after the call
/// has ended must not announce it again. Lines forget ended calls by themselves. This type remembers a call for ten
/// seconds, and at most `capacity` calls.
struct RecentCalls: Equatable, Codable, Sendable {
    enum Source: Equatable, Codable, Sendable { case offer, info }

    struct Past: Equatable, Codable, Sendable {
        let ids: [String]
        let key: NumberKey?
        let reason: EndReason
        let over: Instant
        var sources: [Source]
        /// Whether the history has an entry for it. A call that ended elsewhere before it was reported here has none
        /// yet.
        var isRecorded: Bool
    }

    static let capacity = 32

    private(set) var pasts: [Past] = []

    mutating func add(_ past: Past) {
        if pasts.count == Self.capacity { pasts.removeFirst() }
        pasts.append(past)
    }

    mutating func forget(before instant: Instant) { pasts.removeAll { $0.over < instant } }

    /// Whether an ended call matches. If both sides have ids and none in common, it is another call.
    func knows(ids: [String], key: NumberKey?) -> Bool {
        pasts.contains { past in
            past.ids.contains(where: ids.contains)
                || (key != nil && past.key == key && (past.ids.isEmpty || ids.isEmpty))
        }
    }

    /// The past call that a source reports now. Each source finds it only once by the number alone.
    mutating func take(_ source: Source, ids: [String], key: NumberKey?) -> Past? {
        // If caller info reports it again, the call is still over. If a line offers it again, that is another attempt,
        // which a person may want to hear.
        let named = pasts.firstIndex { past in
            past.ids.contains(where: ids.contains) && (source == .info || !past.sources.contains(.offer))
        }
        let numbered = pasts.firstIndex { past in
            // If both sides have ids and none in common, it is another call from the same number.
            key != nil && past.key == key && !past.sources.contains(source) && (past.ids.isEmpty || ids.isEmpty)
        }
        guard let index = named ?? numbered else { return nil }
        defer {
            pasts[index].sources.append(source)
            pasts[index].isRecorded = true
        }
        return pasts[index]
    }
}
