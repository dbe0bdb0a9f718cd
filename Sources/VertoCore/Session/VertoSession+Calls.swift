import Base

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
