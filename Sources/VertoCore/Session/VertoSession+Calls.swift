import Base
import Telephony

/// Keeps the list of calls: finds, changes, loses and ends them.
extension VertoSession {
    func call(_ id: VertoCallID) -> VertoCall? { calls.first { $0.id == id } }

    mutating func update(_ call: VertoCall) {
        if let place = calls.firstIndex(where: { $0.id == call.id }) { calls[place] = call }
    }

    mutating func tell(_ id: VertoCallID, _ event: VertoCallEvent) { effects.append(.call(id, event)) }

    /// Adds a call. If it is the first one, the connection counts as confirmed, because an idle one has nothing to
    /// confirm.
    mutating func begin(_ call: VertoCall, at now: Instant) {
        if calls.isEmpty { liveness.confirmed(at: now) }
        calls.append(call)
    }

    /// Every call ends here, whatever the cause.
    mutating func end(_ id: VertoCallID, _ end: VertoEnd) {
        guard let place = calls.firstIndex(where: { $0.id == id }) else { return }
        calls.remove(at: place)
        requests.forget { $0.call == id }
        tell(id, .ended(end))
    }

    /// Ends a call and sends BYE to the server, now or after the next login.
    /// - Parameter cause: Nil: the usual cause for the state of the call.
    mutating func hangUp(_ call: VertoCall, _ cause: VertoCause?, as reason: VertoEndReason, at now: Instant) {
        let cause = cause ?? (call.isAnswered ? VertoCause.normalClearing : .userBusy)
        past.add(call.id, cause, isOwed: !isLoggedIn, at: now)
        end(call.id, VertoEnd(reason, cause: cause.name, code: cause.code))
        if isLoggedIn { sayBye(call.id, cause, at: now) }
    }

    /// Ends a call of an earlier process at the server.
    ///
    /// Some servers look for a call only in the session that has it. So a session without calls takes the earlier
    /// session's name, and logs in with it. The server then gives the call back, and accepts its BYE.
    mutating func bury(_ id: VertoCallID, of session: String, at now: Instant) {
        guard call(id) == nil else { return }
        let takesName = sessionKnownAt == nil && calls.isEmpty && session.isVisible(bytes: VertoLimits.idBytes)
        past.add(id, .normalUnspecified, isOwed: takesName || !isLoggedIn, at: now)
        guard takesName else { return isLoggedIn ? sayBye(id, .normalUnspecified, at: now) : () }
        (sessionID, sessionKnownAt) = (session, now)
        switch phase {
        case .off, .waiting, .opening: break
        case .authenticating, .registering, .ready: logInAnew(at: now)
        }
    }

    /// Makes every call wait for recovery, because the connection is gone. Requests on it stay unanswered.
    mutating func recoverCalls(at now: Instant) {
        for var call in calls {
            let until = call.phase.until
            if until == nil { tell(call.id, .recovering) }
            call.phase = .recovering(until: until ?? now + VertoTiming.reattachLimit)
            interrupt(&call)
            update(call)
        }
    }

    /// Fails the outstanding requests of a call, because they will not be answered. Waiting digits would be late, so
    /// they are dropped.
    mutating func interrupt(_ call: inout VertoCall) {
        let id = call.id
        if case .hold(_, let wanted)? = requests.first(where: { Self.isHold($0, of: id) }) {
            call.holdToRestore = call.holdWanted ?? wanted
        } else if call.isHeld, call.holdToRestore == nil {
            call.holdToRestore = true
        }
        call.holdWanted = nil
        if !call.digits.isEmpty { tell(id, .dtmfFailed) }
        call.digits = []
        (call.candidates, call.isEndOfCandidatesWaiting, call.candidatesHeard) = ([], false, 0)
        if requests.contains(where: { $0 == .updateMedia(id) }) { tell(id, .mediaUpdateFailed) }
        if requests.contains(where: { $0 == .transfer(id) }) { tell(id, .transferFailed) }
        requests.forget { $0.call == id }
    }

    static func isHold(_ purpose: VertoRequests.Purpose, of id: VertoCallID) -> Bool {
        if case .hold(id, _) = purpose { true } else { false }
    }
}

/// One call of a session.
struct VertoCall: Sendable {
    /// ```
    /// ours:   inviting ─→ proceeding ─→ active
    /// theirs: offered ─→ answering ───→ active
    /// any ─(connection lost)→ recovering ─(attach)→ attaching ─(our answer)→ rejoining ─(result)→ active
    ///                                  ─(offered again, still rings)→ offered
    /// ```
    /// A call that ends is removed.
    enum Phase: Equatable, Sendable {
        case inviting, proceeding
        case offered, answering
        case active
        /// The server may give the call back until then.
        case recovering(until: Instant)
        case attaching(until: Instant)
        case rejoining(until: Instant)

        /// When the call is lost, unless the server gives it back before.
        var until: Instant? {
            switch self {
            case .recovering(let until), .attaching(let until), .rejoining(let until): until
            case .inviting, .proceeding, .offered, .answering, .active: nil
            }
        }
    }

    let id: VertoCallID
    let isIncoming: Bool
    var phase: Phase
    /// Whether somebody answered it, and whether the server knows that.
    var isAnswered = false
    var isConfirmed = false
    var isRinging = false
    /// Whether the far end has described its media.
    var hasDescription: Bool
    var isTrickled: Bool

    /// The hold that the server has confirmed, and the hold that is wanted next.
    var isHeld = false
    var holdWanted: Bool?
    /// How long somebody waits for the hold that was wanted last.
    var holdDue: Instant?
    /// The hold to request again when the server has given the call back.
    var holdToRestore: Bool?

    /// The digits to send. The server has the first one.
    var digits: [DTMFSymbol] = []
    /// Our candidates that wait for the answer.
    var candidates: [VertoCandidate] = []
    var isEndOfCandidatesWaiting = false
    var candidatesHeard = 0

    init(ours id: VertoCallID, isTrickled: Bool) {
        (self.id, isIncoming, phase) = (id, false, .inviting)
        (hasDescription, self.isTrickled) = (false, isTrickled)
    }

    init(theirs id: VertoCallID) {
        (self.id, isIncoming, phase) = (id, true, .offered)
        (hasDescription, isTrickled) = (true, false)
    }

    /// Whether it rings here, and nobody has answered it.
    var isUnanswered: Bool { isIncoming && !isAnswered }

    /// Whether the server may still believe that it rings here.
    var isUnconfirmed: Bool { isIncoming && !isConfirmed }
}

/// Calls that ended here although the server may not know it: the connection may have been lost with the BYE.
struct VertoPastCalls: Sendable {
    struct Entry: Sendable {
        let id: VertoCallID
        let cause: VertoCause
        /// Whether the BYE is still to be sent.
        var isOwed: Bool
        let until: Instant
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }

    func entry(of id: VertoCallID, at now: Instant) -> Entry? { entries.first { $0.id == id && $0.until > now } }

    /// Adds a call. Beyond the limit, the oldest one is forgotten.
    mutating func add(_ id: VertoCallID, _ cause: VertoCause, isOwed: Bool, at now: Instant) {
        entries.removeAll { $0.id == id || $0.until <= now }
        if entries.count >= VertoLimits.pastCalls { entries.removeFirst() }
        entries.append(Entry(id: id, cause: cause, isOwed: isOwed, until: now + VertoTiming.sessionLife))
    }

    /// Returns the calls whose BYE is still to be sent, and marks them as sent.
    mutating func settle(at now: Instant) -> [Entry] {
        entries.removeAll { $0.until <= now }
        let owed = entries.filter(\.isOwed)
        for index in entries.indices { entries[index].isOwed = false }
        return owed
    }
}
