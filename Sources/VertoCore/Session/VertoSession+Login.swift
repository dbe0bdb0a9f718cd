import Base
import JSON

/// Logs in, and waits for the gateway.
extension VertoSession {
    mutating func logIn(at now: Instant) {
        let isKnown = sessionKnownAt.map { now - $0 <= VertoTiming.sessionLife } ?? false
        if !isKnown { renewSession() }
        phase = .authenticating
        request(.login, loginParams(isKnown: isKnown), .login, at: now)
    }

    private func loginParams(isKnown: Bool) -> [String: JSONValue] {
        var params: [String: JSONValue] = ["sessid": .string(sessionID), "userVariables": [:]]
        switch credentials {
        case .password(let user, let password):
            params["login"] = .string(user)
            params["passwd"] = .string(password.reveal())
        case .token(let token): params["login_token"] = .string(token.reveal())
        }
        switch dialect {
        case .telnyx:
            params["User-Agent"] = .string(configuration.agent)
            // A text, not a boolean, as the server requires.
            params["loginParams"] = ["attach_call": "true"]
            if isKnown { params["reconnection"] = true }
        case .freeSWITCH: params["loginParams"] = [:]
        }
        return params
    }

    /// Handles a successful login. The server may have given the session another name.
    mutating func loggedIn(_ result: JSONValue, at now: Instant) {
        if let name = result.visible("sessid", bytes: VertoLimits.idBytes) { sessionID = name }
        guard dialect.hasGateway else { return becomeReady(at: now) }
        // The server sends `clientReady` next. If it does not, we query the gateway without it.
        phase = .registering(VertoRegistering(askAt: now + VertoTiming.gatewayPause))
    }

    mutating func clientReady(_ params: JSONValue, at now: Instant) {
        switch params["reattached_sessions"] {
        case .array(let listed)?: reconcile(Set(listed.compactMap(\.string)), at: now)
        case nil: break
        case .null?, .bool?, .integer?, .unsigned?, .number?, .string?, .object?: drop(.wrongType)
        }
        switch phase {
        case .registering(let registering) where registering.tries == 0: askGateway(at: now)
        case .registering, .ready, .off, .waiting, .opening, .authenticating: break
        }
    }

    /// Ends the calls that the server does not list: unanswered ones at once. FreeSWITCH lists the calls of this
    /// session, but gives the calls of a crash back some seconds later. So an answered call waits for that.
    ///
    /// Calls that the server has already offered are not checked, because it may offer them before it lists them. An
    /// older FreeSWITCH lists the session instead of its calls, so its list proves nothing.
    private mutating func reconcile(_ listed: Set<String>, at now: Instant) {
        guard !listed.contains(sessionID) else { return }
        for var call in calls {
            guard case .recovering(let until) = call.phase, !listed.contains(call.id.rawValue) else { continue }
            guard call.isAnswered else {
                end(call.id, VertoEnd(.lost))
                continue
            }
            call.phase = .recovering(until: min(until, now + VertoTiming.unlistedLimit))
            update(call)
        }
    }

    // MARK: The gateway

    mutating func askGateway(at now: Instant) {
        guard case .registering(var registering) = phase else { return }
        guard registering.tries < VertoTiming.gatewayTries else { return lose(.gateway(registering.last), at: now) }
        requests.forget { $0 == .gatewayState }
        registering.tries += 1
        registering.askAt = nil
        phase = .registering(registering)
        request(.gatewayState, [:], .gatewayState, at: now)
    }

    mutating func gatewaySays(_ params: JSONValue, at now: Instant) {
        let word = params["params"]?["state"]?.string ?? params["state"]?.string ?? ""
        let state = VertoGatewayState(rawValue: word) ?? .unknown
        switch (phase, state.consequence) {
        case (.registering, .ready): becomeReady(at: now)
        case (.registering(let registering), .askAgain): wait(registering, for: state, at: now)
        // The registration was lost, but calls that are up go on.
        case (.ready, .askAgain): wait(VertoRegistering(), for: state, at: now)
        case (.registering, .connectAnew), (.ready, .connectAnew):
            avoidsInstance = true
            let range = VertoTiming.gatewayReconnect
            let pause = Int64.random(
                in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, using: &generator)
            lose(.gateway(state), waitingFor: .nanoseconds(pause), at: now)
        // If this is the answer to our query, no other query is outstanding.
        case (.registering(let registering), .nothing):
            if !requests.contains(where: { $0 == .gatewayState }) { wait(registering, for: state, at: now) }
        case (.ready, .ready), (.ready, .nothing): break
        case (.off, _), (.waiting, _), (.opening, _), (.authenticating, _): break
        }
    }

    /// Waits before the next query. Messages from the gateway do not delay it.
    private mutating func wait(_ registering: VertoRegistering, for state: VertoGatewayState, at now: Instant) {
        var registering = registering
        registering.last = state
        let next = now + VertoBackoff.jittered(VertoTiming.gatewayPause, using: &generator)
        registering.askAt = min(registering.askAt ?? next, next)
        phase = .registering(registering)
    }

    private mutating func becomeReady(at now: Instant) {
        phase = .ready(since: now)
        avoidsInstance = false
        requests.forget { $0 == .gatewayState }
        liveness.start(at: now)
        watchMessages(at: now)
        watchUsers(at: now)
        for entry in past.settle(at: now) { sayBye(entry.id, entry.cause, at: now) }
    }
}

/// The wait for the server's gateway to register the account.
struct VertoRegistering: Equatable, Sendable {
    /// When to query it. Nil: a query is outstanding.
    var askAt: Instant?
    var tries = 0
    /// Its last reported state.
    var last = VertoGatewayState.unknown
}

/// The state of the account at the server's gateway (Telnyx). Only `registered` lets calls through.
public enum VertoGatewayState: String, CaseIterable, Equatable, Sendable {
    case registered = "REGED"
    // Not registered yet, but it may still happen.
    case unregistered = "UNREGED"
    case trying = "TRYING"
    case register = "REGISTER"
    case unregister = "UNREGISTER"
    case notRegistered = "NOREG"
    case expired = "EXPIRED"
    /// An unknown state, or none.
    case unknown = ""
    // Failed: another gateway may work.
    case failed = "FAILED"
    case failWait = "FAIL_WAIT"
    case down = "DOWN"
    case timeout = "TIMEOUT"
    // Without meaning for a telephone.
    case idle = "IDLE"
    case attached = "ATTACHED"

    /// What the session does then.
    enum Consequence: Equatable, Sendable { case ready, askAgain, connectAnew, nothing }

    var consequence: Consequence {
        switch self {
        case .registered: .ready
        case .unregistered, .trying, .register, .unregister, .notRegistered, .expired, .unknown: .askAgain
        case .failed, .failWait, .down, .timeout: .connectAnew
        case .idle, .attached: .nothing
        }
    }
}

/// The account's credentials.
public enum VertoCredentials: Equatable, Sendable {
    /// - Parameter user: At Telnyx without a domain, at FreeSWITCH `user@domain`.
    case password(user: String, Redacted<String>)
    /// A JSON Web Token, which is valid for a day at most. Only if `VertoDialect.takesTokens`.
    case token(Redacted<String>)

    /// Nil: only the server knows the token's user.
    var user: String? {
        switch self {
        case .password(let user, _): user
        case .token: nil
        }
    }

    /// The failure when a server refuses them. Its message goes to people and logs. If it repeats the secret, or a
    /// piece of a token, it is left out.
    func refused(_ message: String) -> VertoFailure {
        switch self {
        case .password(_, let password):
            let secret = password.reveal()
            return .credentials(!secret.isEmpty && message.includes(secret) ? "" : message)
        case .token(let token): return .token(Self.repeats(message, token.reveal()) ? "" : message)
        }
    }

    /// Whether the message has so many characters in a row of the token that they reveal something. The whole token
    /// need not be in it, because a message is cut.
    private static func repeats(_ message: String, _ token: String) -> Bool {
        let (piece, said, secret) = (8, Array(message.utf8), Array(token.utf8))
        guard secret.count >= piece else { return message.includes(token) }
        guard said.count >= piece else { return false }
        let pieces = Set((0...said.count - piece).map { said[$0..<$0 + piece] })
        return (0...secret.count - piece).contains { pieces.contains(secret[$0..<$0 + piece]) }
    }
}
