import Base

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
