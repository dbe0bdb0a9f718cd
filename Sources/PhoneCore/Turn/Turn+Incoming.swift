import Base

/// A call comes in: announced at once, or refused at once.
extension Turn {
    /// A line offers a call.
    mutating func offered(_ leg: CallID, _ caller: Caller) {
        // Calls from outside are numbered by their line; a repeated offer is the same call.
        guard case .line = leg.origin, phone.call(ofLeg: leg) == nil, phone[leg] == nil else { return }
        if let replaced = caller.replaces, let call = phone.call(ofLeg: replaced), mayBeReplaced(call) {
            return replacementOffered(leg, caller, for: call, replaced)
        }
        let who = Identity(caller)
        if let announced = announcedByInfo(who) { return merge(announced, leg, caller) }
        let past = phone.book.take(.offer, ids: who.ids, key: who.key)
        if let past, past.isRecorded, past.reason != .noOffer {
            // It was told of by caller info, and is over here: nobody hears of it again.
            let refusal = past.reason.refusal(declinedAs: policy.declinedAs)
            return emit(.line(.refuse(leg, refusal)))
        }
        var call = Call(id: leg, direction: .incoming, who: who, account: caller.account, started: now, leg: leg)
        call.vouched = caller.vouched
        call.who.find(in: phone.contacts)
        let isLate = caller.arrived.map { now - $0 > policy.announceTime } ?? false
        announce(call, refusedFor: past.flatMap { $0.isRecorded ? nil : $0.reason } ?? (isLate ? .notAnnounced : nil))
        answerByItself(call.id, caller)
    }

    /// One place announces a call, whoever told of it.
    ///
    /// - Parameter reason: Why it must not be announced.
    mutating func announce(_ call: Call, refusedFor reason: EndReason? = nil, offerDue: Instant? = nil) {
        let reason = reason ?? whyRefused(call)
        phone.calls.append(call)
        if let reason {
            if reason == .notAnnounced { notice(.trouble("a call could not be announced in time")) }
            return end(call.id, reason)
        }
        let ringing = Ringing(until: now + policy.ringingInTime, offerDue: offerDue)
        phone[call.id]?.state = .ringingIn(ringing)
        if let leg = call.leg { emit(.line(.alert(leg))) }
        emit(.media(.open(call.id)))
    }

    private func whyRefused(_ call: Call) -> EndReason? {
        guard phone.mode == .running else { return .shutDown }
        if isBlocked(call.who) { return .blocked }
        // The person is in that conversation already.
        guard call.succession == nil else { return hasSpareCall ? nil : .refusedBusy }
        if phone.settings.doNotDisturb { return .doNotDisturb }
        return phone.liveCalls < policy.maximumCalls && hasSpareCall ? nil : .refusedBusy
    }

    var hasSpareCall: Bool { phone.calls.count < policy.maximumCalls + PhoneState.spareCalls }

    /// A text for the display. Whoever may not call may not write.
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

    /// Automatic answer is for listed callers, at a phone that nobody uses.
    private mutating func answerByItself(_ id: CallID, _ caller: Caller) {
        guard let call = phone.summons, call.id == id, phone.ear == .closed else { return }
        guard let number = caller.vouched, policy.autoAnswer.callers.contains(where: { $0.matches(number) }) else {
            return
        }
        guard caller.wantsAutoAnswer || !policy.autoAnswer.onlyWhenAsked else { return }
        answer(call, on: policy.autoAnswer.route)
        phone[id]?.answerer = .nobody
    }

    /// The line's offer of a call that caller info announced: the same call, announced once.
    private mutating func merge(_ call: Call, _ leg: CallID, _ caller: Caller) {
        var call = call
        if !call.who.ids.isEmpty && !caller.ids.isEmpty && !call.who.shares(caller.ids) {
            notice(.trouble("the two sources of \(call.id) disagree about its name"))
        }
        call.leg = leg
        call.account = caller.account
        call.vouched = caller.vouched
        call.who.add(caller)
        switch call.state {
        case .ringingIn(var ringing):
            ringing.offerDue = nil
            call.state = .ringingIn(ringing)
        case .connecting(var connecting):
            guard case .preparing(var ringing) = connecting.stage else { return }
            ringing.offerDue = nil
            connecting.stage = .preparing(ringing)
            call.state = .connecting(connecting)
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            return
        }
        phone[call.id] = call
        emit(.line(.alert(leg)))
        answerByItself(call.id, caller)
    }

    /// The call that caller info announced and this offer belongs to: by a common id, else by its number.
    private func announcedByInfo(_ who: Identity) -> Call? {
        let waiting = phone.calls.filter { $0.leg == nil && $0.isLive && $0.direction == .incoming }
        return waiting.first { $0.who.shares(who.ids) } ?? waiting.first { who.key != nil && $0.who.key == who.key }
    }
}

/// Calls that a line turned away before anybody here could hear of them.
extension Turn {
    mutating func refused(_ caller: Caller, from address: String, because reason: CallRefusal) {
        var who = Identity(caller)
        who.find(in: phone.contacts)
        phone.refusedCalls &+= 1
        notice(
            .callRefused(
                RefusedCall(account: caller.account, number: who.number, name: who.name, from: address, reason: reason))
        )
        // A call that a person would have wanted is in the history, and shown until it is seen.
        guard phone.mode == .running, !isBlocked(who), let end = reason.missedAs else { return }
        phone.callsMade += 1
        let call = Call(
            id: CallID(.info, phone.callsMade), direction: .incoming, who: who, account: caller.account, started: now)
        phone.calls.append(call)
        self.end(call.id, end, overOnTheWire: true)
    }
}

/// The second source of an incoming call: it may come before the offer, after it, instead of it, or too late.
extension Turn {
    mutating func takeCallerInfo(_ event: CallerInfoEvent) {
        switch event {
        case .incoming(let told):
            let info = told.bounded
            guard isFresh(info) else { return }
            informed(info)
        case .ended(let told):
            let info = told.bounded
            guard isFresh(info) else { return }
            endedElsewhere(info)
        case .invalid(let why): notice(.trouble("caller info was dropped: \(why)"))
        }
    }

    private mutating func isFresh(_ info: CallerInfo) -> Bool {
        if now - info.sent <= policy.infoAge { return true }
        notice(.trouble("caller info was dropped: it is too old"))
        return false
    }

    private mutating func informed(_ info: CallerInfo) {
        let who = Identity(info)
        if let known = told(of: who) {
            if !known.who.ids.isEmpty && !info.ids.isEmpty && !known.who.shares(info.ids) {
                notice(.trouble("the two sources of \(known.id) disagree about its name"))
            }
            phone[known.id]?.who.add(info)
            return
        }
        let past = phone.book.take(.info, ids: who.ids, key: who.key)
        if let past, past.isRecorded { return }
        phone.callsMade += 1
        var call = Call(
            id: CallID(.info, phone.callsMade), direction: .incoming, who: who, account: info.account, started: now)
        call.who.find(in: phone.contacts)
        announce(call, refusedFor: past?.reason, offerDue: now + policy.offerTime)
    }

    /// Another phone took the call. Whoever talks here already was not meant.
    private mutating func endedElsewhere(_ info: CallerInfo) {
        let who = Identity(info)
        guard let call = told(of: who, ending: true) else {
            // Better to ring once too often than to turn away who calls again.
            let isKnown = phone.book.knows(ids: who.ids, key: who.key) || told(of: who) != nil
            if !isKnown { remember(who, .answeredElsewhere, sources: [], isRecorded: false) }
            return
        }
        end(call.id, .answeredElsewhere)
    }

    /// The incoming call that caller info is about: by a common id; else by its number, when nobody told more of it yet,
    /// or when nothing tells the two apart.
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

    /// Keeps a call in mind that is over, for a source that has not told of it.
    mutating func remember(_ who: Identity, _ reason: EndReason, sources: [RecentCalls.Source], isRecorded: Bool) {
        phone.book.add(
            RecentCalls.Past(
                ids: who.ids, key: who.key, reason: reason, over: now, sources: sources, isRecorded: isRecorded))
    }
}

extension Call {
    /// The line does not know yet whether a person here answers.
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
