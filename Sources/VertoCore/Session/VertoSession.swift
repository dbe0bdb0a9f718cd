import Base
import Telephony

/// One account's session at a server that speaks Verto, and its calls: JSON-RPC 2.0 in the text frames of a WebSocket.
///
/// A value that has no clock and no socket. Descriptions of media are opaque texts to it. It keeps the connection, logs
/// in, waits for the gateway, and carries calls over a lost connection (`VertoTiming.reattachLimit`).
///
/// Its owner carries out its effects in their order, passes on what its sockets receive, and calls it at its
/// `deadline`. `VertoLimits` bounds everything that a server can make it keep. `census` counts what it drops.
public struct VertoSession: Sendable {
    public struct Configuration: Sendable {
        public let dialect: VertoDialect
        /// The name of the program, for the server.
        public let agent: String
        /// Whether to ask the server for reports of new voice messages. FreeSWITCH sends them if `enable-fs-events` is
        /// on.
        public let watchesMessages: Bool
        /// Users whose calls FreeSWITCH is asked to report.
        public let watchedNumbers: [String]
        /// The domain of the account, and of watched users without one.
        public let domain: String

        public init(
            _ dialect: VertoDialect, agent: String, watchesMessages: Bool = false, watchedNumbers: [String] = [],
            domain: String = ""
        ) {
            (self.dialect, self.agent, self.domain) = (dialect, agent, domain)
            (self.watchesMessages, self.watchedNumbers) = (watchesMessages, watchedNumbers)
        }
    }

    /// ```
    /// off ─→ opening ─→ authenticating ─→ registering ─→ ready
    ///           ↑ └──────────┴───────────────┴────────────┴─(lost)→ waiting
    ///           └──────────────────────────────────────────────────────┘
    /// ```
    enum Phase: Equatable, Sendable {
        case off
        /// - Parameter until: Nil: only other credentials help.
        case waiting(until: Instant?, VertoFailure)
        case opening(until: Instant)
        case authenticating
        case registering(VertoRegistering)
        case ready(since: Instant)
    }

    let configuration: Configuration
    var credentials: VertoCredentials
    var generator: any RandomNumberGenerator & Sendable
    var phase = Phase.off
    var socket: VertoSocketID?
    var openedAt: Instant?
    var backoff = VertoBackoff()
    /// Our name for the session, which the server keeps across connections.
    var sessionID: String
    /// When the server last knew it. Nil: never.
    var sessionKnownAt: Instant?
    /// The server's instance, which holds our calls.
    var voiceID: String?
    /// Whether the instance has failed, so that the next connection needs another one.
    var avoidsInstance = false
    var requests = VertoRequests()
    var calls: [VertoCall] = []
    var past = VertoPastCalls()
    var presence: VertoPresence
    var liveness = VertoLiveness()
    private var told = VertoState.off
    public internal(set) var census = VertoCensus()
    var effects: [Effect] = []

    /// - Parameter generator: For names that cannot be guessed. It must be the system's.
    public init(
        _ configuration: Configuration, _ credentials: VertoCredentials,
        generator: any RandomNumberGenerator & Sendable
    ) {
        var generator = generator
        sessionID = .randomUUID(using: &generator)
        (self.configuration, self.credentials, self.generator) = (configuration, credentials, generator)
        presence = VertoPresence(configuration.watchedNumbers, domain: configuration.domain)
    }

    var dialect: VertoDialect { configuration.dialect }

    // MARK: State for the owner

    public var state: VertoState {
        switch phase {
        case .off: .off
        case .waiting(_, let failure): .waiting(failure)
        case .opening: .connecting
        case .authenticating: .authenticating
        case .registering: .registering
        case .ready: .ready
        }
    }

    /// The server's name for the session. The server keeps calls under it when the connection is lost.
    public var sessionName: String { sessionID }

    /// The calls that have not ended, in the order in which they began.
    public var callIDs: [VertoCallID] { calls.map(\.id) }

    // MARK: Running it

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch (phase, event) {
        case (.off, .connect), (.waiting, .connect): open(at: now)
        case (.opening, .connect), (.authenticating, .connect), (.registering, .connect): break
        // Somebody doubts that the server is there.
        case (.ready, .connect): probe(at: now)
        case (.off, .disconnect): break
        case (.waiting, .disconnect), (.opening, .disconnect), (.authenticating, .disconnect),
            (.registering, .disconnect), (.ready, .disconnect):
            close(at: now)
        case (.off, .credentials(let new)), (.opening, .credentials(let new)): takeBeforeLogin(new, at: now)
        case (.waiting, .credentials(let new)), (.authenticating, .credentials(let new)),
            (.registering, .credentials(let new)), (.ready, .credentials(let new)):
            change(to: new, at: now)
        case (.off, .pathChanged): break
        case (.waiting, .pathChanged), (.opening, .pathChanged), (.authenticating, .pathChanged),
            (.registering, .pathChanged), (.ready, .pathChanged):
            changePath(at: now)
        case (.opening, .opened(let opened)) where opened == socket: logIn(at: now)
        case (.opening, .opened), (.off, .opened), (.waiting, .opened), (.authenticating, .opened),
            (.registering, .opened), (.ready, .opened):
            break
        case (.opening, .forbidden(let forbidden)) where forbidden == socket:
            socket = nil
            phase = .waiting(until: nil, .passwordInClear)
        case (.opening, .forbidden), (.off, .forbidden), (.waiting, .forbidden), (.authenticating, .forbidden),
            (.registering, .forbidden), (.ready, .forbidden):
            break
        case (.opening, .closed(let closed)) where closed == socket: lose(.unreachable, isOpen: false, at: now)
        case (.authenticating, .closed(let closed)) where closed == socket,
            (.registering, .closed(let closed)) where closed == socket,
            (.ready, .closed(let closed)) where closed == socket:
            lose(.connectionLost, isOpen: false, at: now)
        case (.off, .closed), (.waiting, .closed), (.opening, .closed), (.authenticating, .closed),
            (.registering, .closed), (.ready, .closed):
            break
        case (.authenticating, .received(let frame, let source)) where source == socket,
            (.registering, .received(let frame, let source)) where source == socket,
            (.ready, .received(let frame, let source)) where source == socket:
            receive(frame, at: now)
        case (.off, .received), (.waiting, .received), (.opening, .received), (.authenticating, .received),
            (.registering, .received), (.ready, .received):
            drop(.staleSocket)
        case (.off, .call(let id, let command)), (.waiting, .call(let id, let command)),
            (.opening, .call(let id, let command)), (.authenticating, .call(let id, let command)),
            (.registering, .call(let id, let command)), (.ready, .call(let id, let command)):
            perform(command, of: id, at: now)
        case (.off, .orphan(let id, let session)), (.waiting, .orphan(let id, let session)),
            (.opening, .orphan(let id, let session)), (.authenticating, .orphan(let id, let session)),
            (.registering, .orphan(let id, let session)), (.ready, .orphan(let id, let session)):
            bury(id, of: session, at: now)
        case (.off, .deadline), (.waiting, .deadline), (.opening, .deadline), (.authenticating, .deadline),
            (.registering, .deadline), (.ready, .deadline):
            break
        }
        advance(to: now)
        defer { effects = [] }
        return effects
    }

    /// Carries out everything that is due, and reports a changed state.
    private mutating func advance(to now: Instant) {
        while let purpose = requests.popExpired(at: now) { timedOut(purpose, at: now) }
        switch phase {
        case .off, .authenticating: break
        case .waiting(let until, _): if let until, until <= now { open(at: now) }
        case .opening(let until): if until <= now { lose(.unreachable, at: now) }
        case .registering(let registering): if let askAt = registering.askAt, askAt <= now { askGateway(at: now) }
        case .ready: keepAlive(at: now)
        }
        for call in calls {
            if let until = call.phase.until, until <= now { hangUp(call, .recoveryOnTimerExpire, as: .lost, at: now) }
        }
        guard state != told else { return }
        told = state
        if state != .ready { show(presence.lost()) }
        effects.append(.state(state))
    }

    /// When something is due. Nil: nothing is.
    public var deadline: Instant? {
        let lost = calls.lazy.compactMap(\.phase.until).min()
        let own: Instant? =
            switch phase {
            case .off, .authenticating: nil
            case .waiting(let until, _): until
            case .opening(let until): until
            case .registering(let registering): registering.askAt
            case .ready: liveness.deadline(hasCalls: !calls.isEmpty)
            }
        return Instant.earliest(own, requests.deadline, lost)
    }
}

extension VertoSession {
    public enum Event: Sendable {
        /// Connect, or try again at once.
        case connect
        /// End all calls and the connection.
        case disconnect
        /// Other credentials. A session that is not off logs in with them at once.
        case credentials(VertoCredentials)
        /// The phone has other addresses, so the open connection is dead. A new one is requested at once.
        case pathChanged
        case opened(VertoSocketID)
        /// The connection would send the login in clear, and was not opened. Only a person can change that.
        case forbidden(VertoSocketID)
        /// A text frame. The owner rejects all other messages, and those above `VertoLimits.frameBytes`.
        case received(String, VertoSocketID)
        /// The connection ended, or could not be opened.
        case closed(VertoSocketID)
        case call(VertoCallID, VertoCallCommand)
        /// End a call of an earlier process, which crashed during it. The server gets a BYE, after the next login at
        /// the latest.
        /// - Parameter session: The name of the session at that time. At a login with it, the server gives the call
        ///   back.
        case orphan(VertoCallID, session: String)
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        /// Open a connection. The one before is gone, or an earlier effect has ended it.
        /// - Parameter query: For the address, without the question mark. May be empty.
        case connect(VertoSocketID, query: String)
        /// Send a frame on the last opened connection.
        case send(VertoFrame)
        /// End this connection when everything that was sent has left. No event need follow.
        case disconnect(VertoSocketID)
        case state(VertoState)
        case call(VertoCallID, VertoCallEvent)
        /// A text to show.
        case text(VertoText)
        /// The number of new voice messages that the server keeps for the account.
        case messagesWaiting(Int)
        /// The state of a watched user, named as in the configuration.
        case watched(String, WatchedState)
    }
}
