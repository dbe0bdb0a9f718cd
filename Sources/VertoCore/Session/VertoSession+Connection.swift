import Base
import JSON

/// Opens, loses and ends connections.
extension VertoSession {
    mutating func open(at now: Instant) {
        if case .token = credentials, !dialect.takesTokens {
            phase = .waiting(until: nil, .tokenNotTaken)
            return
        }
        if let openedAt, openedAt + VertoTiming.connectGap > now {
            phase = .waiting(until: openedAt + VertoTiming.connectGap, lastFailure)
            return
        }
        openedAt = now
        census.connections += 1
        let next = VertoSocketID(rawValue: census.connections)
        socket = next
        phase = .opening(until: now + VertoTiming.connectLimit)
        effects.append(.connect(next, query: query))
    }

    private var lastFailure: VertoFailure {
        if case .waiting(_, let failure) = phase { failure } else { .connectionLost }
    }

    /// The query that leads to the server's instance with our calls, if it is to be found again.
    private var query: String {
        guard dialect.hasInstances, let voiceID else { return "" }
        let name = "voice_sdk_id=" + voiceID.percentEncoded
        return avoidsInstance ? name + "&skip_last_voice_sdk_id=true" : name
    }

    /// - Parameter isOpen: Whether the socket is still open, so that it must be closed.
    mutating func lose(
        _ failure: VertoFailure, isOpen: Bool = true, waitingFor least: Duration = .zero, at now: Instant
    ) {
        if isOpen { closeSocket() }
        socket = nil
        noteSession(at: now)
        if case .ready(let since) = phase, now - since >= VertoTiming.stableTime { backoff.reset() }
        if failure == .punted { backoff.penalise() }
        recoverCalls(at: now)
        requests.removeAll()
        let floor =
            switch failure {
            case .credentials, .token: VertoTiming.refusedPause
            case .unreachable, .connectionLost, .silent, .tokenNotTaken, .passwordInClear, .sessionForgotten, .gateway,
                .punted:
                VertoTiming.firstPause
            }
        let pause = max(least, backoff.next(from: floor, using: &generator))
        phase = .waiting(until: now + pause, failure)
    }

    /// Connects again at once, because our addresses changed. This does not count as a failure.
    mutating func changePath(at now: Instant) {
        leaveConnection(at: now)
        open(at: now)
    }

    /// Closes the connection. The calls wait for the next one.
    private mutating func leaveConnection(at now: Instant) {
        closeSocket()
        socket = nil
        noteSession(at: now)
        recoverCalls(at: now)
        requests.removeAll()
        backoff.reset()
    }

    /// Logs in with other credentials at once, without the pause after a failure. Credentials that the server has
    /// accepted on this connection change nothing.
    ///
    /// Calls of the same user wait for the new login, which gets them back. Calls of another user end, because the
    /// server would not give them to this one.
    mutating func change(to new: VertoCredentials, at now: Instant) {
        guard new != credentials || !isLoggedIn else { return }
        let isOther = new.user != credentials.user
        credentials = new
        if isOther { close(at: now) } else { leaveConnection(at: now) }
        openedAt = nil
        open(at: now)
    }

    /// Takes other credentials while the connection is being opened. The login will use them.
    mutating func takeBeforeLogin(_ new: VertoCredentials, at now: Instant) {
        let isOther = new.user != credentials.user
        credentials = new
        guard isOther else { return }
        for call in calls { hangUp(call, nil, as: .here, at: now) }
        renewSession()
    }

    /// Logs in again under another name. The session has no calls that this could lose.
    mutating func logInAnew(at now: Instant) {
        closeSocket()
        socket = nil
        requests.removeAll()
        openedAt = nil
        open(at: now)
    }

    /// Ends the session, its calls and its connection.
    mutating func close(at now: Instant) {
        for call in calls { hangUp(call, nil, as: .here, at: now) }
        closeSocket()
        socket = nil
        requests.removeAll()
        backoff.reset()
        renewSession()
        phase = .off
    }

    /// Handles that the server drops the session. It has already dropped the calls, so it gets no BYE.
    mutating func punted(at now: Instant) {
        for call in calls { end(call.id, VertoEnd(.dropped)) }
        lose(.punted, at: now)
        renewSession()
    }

    private mutating func closeSocket() {
        if let socket { effects.append(.disconnect(socket)) }
    }

    private mutating func noteSession(at now: Instant) {
        switch phase {
        case .registering, .ready: sessionKnownAt = now
        case .off, .waiting, .opening, .authenticating: break
        }
    }

    mutating func renewSession() {
        sessionID = .randomUUID(using: &generator)
        sessionKnownAt = nil
    }
}
