import Base
import SDPCore
import SIPCore
import VertoCore

/// One account at a server that speaks Verto: its session, with offers and answers for its calls. It has the inputs and
/// outputs of a line, as `LineMachine` has for SIP.
///
/// Everything goes over one connection, a WebSocket to the account's server, which carries the session's frames.
public struct VertoLine: SignallingLine {
    private(set) var configuration: LineConfiguration
    /// The configuration with which the line began. Its own user may come back after another one.
    private let configured: LineConfiguration
    private let server: NextHop
    var session: VertoSession
    var generator: any RandomNumberGenerator & Sendable
    var legs: [CallID: VertoLeg] = [:]
    var dtmf = DTMFQueues()
    var texts = TextMessages()
    private var connection: Connection?
    private var routing: Routing
    /// The last flow over which the server let us in. The server gives its calls back there.
    private var proven: Flow?
    private var registration = RegistrationState.disconnected
    private var offered: UInt32 = 0
    private var isShuttingDown = false
    var refusals = AdmissionLimits().refusals
    var outputs: [LineOutput] = []

    /// - Parameter makeGenerator: Makes one generator for the session and one for the line, for names that cannot be
    ///   guessed. Two copies of a repeatable generator would draw the same names.
    /// - Precondition: The configuration has an account that speaks Verto.
    public init(
        configuration: LineConfiguration, makeGenerator: () -> any RandomNumberGenerator & Sendable,
        offeredBefore: UInt32 = 0
    ) {
        guard let account = configuration.account, let dialect = account.verto else {
            preconditionFailure("a Verto line needs an account that speaks Verto")
        }
        (self.configuration, generator, server) = (configuration, makeGenerator(), account.server)
        routing = Routing(transports: configuration.transports)
        offered = offeredBefore
        configured = configuration
        session = VertoSession(
            VertoSession.Configuration(
                dialect, agent: configuration.userAgent,
                watchesMessages: configuration.watches.contains(.messages),
                watchedNumbers: configuration.watches.compactMap(\.number), domain: account.domain),
            Self.credentials(configuration), generator: makeGenerator())
    }

    /// The connection that the session requested.
    private struct Connection {
        let socket: VertoSocketID
        /// Nil until the server is located.
        var flow: Flow?
        /// Whether the server is being located again, to check that the flow starts at our present address.
        var isComparing = false
        /// Whether the server has let us in over it.
        var isProven = false
    }

    private static func credentials(_ configuration: LineConfiguration) -> VertoCredentials {
        let account = configuration.account
        if let token = account?.token { return .token(token) }
        return .password(
            user: account?.authUser ?? configuration.user, account?.password ?? Redacted(""))
    }

    public var deadline: Instant? { [session.deadline, dtmf.deadline].compactMap(\.self).min() }
    /// Whether there is a connection, or one is being opened to an address that was found.
    public var hasSessionFlow: Bool { connection?.flow != nil }
    /// The session itself reads every frame.
    public func mayBegin(_ bytes: [UInt8]) -> Bool { true }

    /// How well the line knows a peer: only its server may send to it.
    public func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        connection?.flow?.remote == source ? .friend : .stranger
    }

    public mutating func handle(_ input: LineInput, at now: Instant) -> [LineOutput] {
        switch input {
        case .start: post(.connect, at: now)
        case .received(let bytes, let flow): received(bytes, over: flow, at: now)
        case .lookedUp(let question, let response):
            outputs += routing.lookedUp(question, response, using: &generator, at: now)
        case .located(let hop, let flows, let fault): located(hop, flows, because: fault, at: now)
        case .transportFailed(let flow, let fault): failed(flow, because: fault, at: now)
        // A Verto line sends no datagrams.
        case .unsent: break
        case .networkChanged:
            routing.forgetAnswers()
            post(.pathChanged, at: now)
        case .command(let command): perform(command, at: now)
        case .deadline: post(.deadline, at: now)
        }
        handle(dtmf.deadlineReached(at: now), at: now)
        defer { outputs = [] }
        return outputs
    }

    // MARK: The connection

    private mutating func received(_ bytes: [UInt8], over flow: Flow, at now: Instant) {
        // A CRLF reports that the server answered a ping of the WebSocket. The session sends its own pings.
        guard let connection, connection.flow?.leads(as: flow) == true, bytes != [0x0D, 0x0A] else { return }
        // Invalid UTF-8 shows as replacement characters, and the session reads the rest.
        post(.received(String(decoding: bytes, as: UTF8.self), connection.socket), at: now)
    }

    private mutating func located(_ hop: NextHop, _ flows: [Flow], because fault: String?, at now: Instant) {
        guard hop == server, let connection else { return }
        if let flow = connection.flow {
            if connection.isComparing { compare(flow, flows, at: now) }
            return
        }
        let known = proven.map { [$0] } ?? []
        let (ordered, _) = routing.located(hop, flows, preferring: known, isHome: true, at: now)
        guard let flow = ordered.first else {
            if let fault { tell(.failed(fault)) }
            return post(.closed(connection.socket), at: now)
        }
        guard mayLogIn(over: flow) else { return post(.forbidden(connection.socket), at: now) }
        self.connection?.flow = flow
        // The first frame, the login, opens the connection.
        post(.opened(connection.socket), at: now)
    }

    /// Whether a login, which has the password or the token itself, may go over this flow. Over a WebSocket in clear it
    /// leaves this machine only if a person has allowed it.
    private func mayLogIn(over flow: Flow) -> Bool {
        flow.transport.isSecure || configuration.account?.allowsClearPassword == true
            || flow.remote.address.isLoopback
    }

    /// Keeps a connection that starts at our present address, because the phone may notice a new path later than the
    /// line did.
    private mutating func reconnect(at now: Instant) {
        routing.forgetAnswers()
        guard hasSessionFlow else { return post(session.state == .off ? .connect : .pathChanged, at: now) }
        connection?.isComparing = true
        outputs += routing.search(server, for: nil, using: &generator, at: now) ?? []
    }

    private mutating func compare(_ flow: Flow, _ flows: [Flow], at now: Instant) {
        connection?.isComparing = false
        // If the server is not found, its own answer shows whether it is there.
        let leadsFromHere = flows.isEmpty || flows.contains { $0.local.address == flow.local.address }
        // On a connection that stays, the session asks the server for a sign of life.
        post(leadsFromHere ? .connect : .pathChanged, at: now)
    }

    private mutating func failed(_ flow: Flow, because fault: String?, at now: Instant) {
        guard let connection, connection.flow?.leads(as: flow) == true else { return }
        forgetConnection(at: now)
        post(.closed(connection.socket), at: now)
        if let fault, case .failed = registration { tell(.failed(fault)) }
    }

    private mutating func prove() {
        connection?.isProven = true
        proven = connection?.flow
    }

    /// Forgets the connection. For a while, an address that led nowhere is tried after the others.
    private mutating func forgetConnection(at now: Instant) {
        if let connection, let flow = connection.flow, !connection.isProven { routing.failed(flow, at: now) }
        connection = nil
    }

    // MARK: The session

    mutating func post(_ event: VertoSession.Event, at now: Instant) {
        for effect in session.handle(event, at: now) { carryOut(effect, at: now) }
    }

    private mutating func carryOut(_ effect: VertoSession.Effect, at now: Instant) {
        switch effect {
        case .connect(let socket, let query):
            connection = Connection(socket: socket)
            outputs.append(.ask(query: query))
            outputs += routing.search(server, for: nil, using: &generator, at: now) ?? []
        case .send(let frame):
            if let flow = connection?.flow { outputs.append(.send(Array(frame.text.reveal().utf8), flow)) }
        case .disconnect(let socket):
            if let connection, connection.socket == socket, let flow = connection.flow {
                outputs.append(.abandon(flow))
            }
            if connection?.socket == socket { forgetConnection(at: now) }
        case .state(let state):
            if state.isLoggedIn { prove() }
            tell(Self.registration(state))
        case .call(let call, let event): happened(event, to: call, at: now)
        case .text(let text): show(text, at: now)
        case .messagesWaiting(let count): outputs.append(.event(.messagesWaiting(configuration.id, count)))
        case .watched(let number, let state):
            outputs.append(.event(.watched(WatchedNumber(number, account: configuration.id), state)))
        }
    }

    private mutating func tell(_ state: RegistrationState) {
        guard state != registration else { return }
        registration = state
        outputs.append(.event(.registration(configuration.id, state)))
    }

    private static func registration(_ state: VertoState) -> RegistrationState {
        switch state {
        case .off: .disconnected
        case .connecting, .authenticating, .registering: .registering
        case .ready: .registered
        case .waiting(let failure): .failed(failure.words)
        }
    }

    // MARK: Commands for the line

    /// Carries out a command for the line itself. False: the command is about a call.
    mutating func performOfLine(_ command: LineCommand, at now: Instant) -> Bool {
        switch command {
        case .reconnect: reconnect(at: now)
        case .disconnect: post(.disconnect, at: now)
        case .reconfigure(_, let credentials): reconfigure(credentials, at: now)
        case .shutDown:
            isShuttingDown = true
            for leg in Array(legs.keys) { end(leg, .shutDown, at: now) }
            post(.disconnect, at: now)
            outputs.append(.finished)
        case .orphanBye(_, let memo):
            if let memo = VertoMemo(memo) { post(.orphan(memo.call, session: memo.session), at: now) }
        case .dial, .alert, .answer, .candidates, .refuse, .end, .hold, .move, .dtmf, .transfer, .connect, .follow,
            .declineReferral, .redirect, .pickUp:
            return false
        }
        return true
    }

    /// Logs in with other credentials. The result is reported, even if it is the same.
    private mutating func reconfigure(_ credentials: AccountCredentials, at now: Instant) {
        configuration = configured.taking(credentials)
        let told = outputs.count
        post(.credentials(Self.credentials(configuration)), at: now)
        post(.connect, at: now)
        let isTold = outputs[told...].contains { if case .event(.registration) = $0 { true } else { false } }
        if !isTold { outputs.append(.event(.registration(configuration.id, registration))) }
    }

    mutating func nextOffered() -> CallID {
        offered += 1
        return CallID(.line(configuration.id), offered)
    }

    /// The host of our address in descriptions without ICE.
    var localHost: String { connection?.flow?.local.host ?? "0.0.0.0" }
    var serverHost: String { connection?.flow?.remote.host ?? server.host }
    /// Whether there may be one more call, as `LineMachine.hasRoom`.
    var mayBegin: Bool { !isShuttingDown && legs.count < configuration.maximumLegs }

    func leg(of call: VertoCallID) -> CallID? { legs.first { $0.value.call == call }?.key }
}

extension VertoState {
    /// Whether the server has let us in.
    fileprivate var isLoggedIn: Bool {
        switch self {
        case .registering, .ready: true
        case .off, .connecting, .authenticating, .waiting: false
        }
    }
}
