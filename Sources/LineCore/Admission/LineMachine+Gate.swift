import Base
import SIPCore

/// Whose messages are read at all. Identity is the flow, never the address: every message passes here before it touches a
/// transaction, a dialog, a subscription or the registration.
extension LineMachine {
    /// What becomes of a message at the gate.
    enum Admission: Equatable {
        case admitted
        /// Its sender has no part in what it is about, and is told so without being remembered.
        case refused(SIPStatus, GateRefusal)
        case ignored(GateRefusal)
    }

    /// The longest message that is read of somebody whom the line does not know, in bytes.
    public static let strangerLimit = 4_096

    // MARK: Whose word counts

    /// Whether a message over this flow is the word of the account's own server (RFC 3325 §9.1): over a connection that we
    /// opened to it, or from exactly the place where it was found. A server of datagrams may be asked over a stream, too,
    /// where a request is long (RFC 3261 §18.1.1). A server with which the account does not register is not told where we
    /// are: it connects to where a person told it, from a port that says nothing (§18.1.1).
    func isOwnServer(_ flow: Flow) -> Bool {
        (routing.home + registration.living).contains { server in
            switch flow.opener {
            case .us:
                server.remote == flow.remote
                    && (server.transport == flow.transport || server.transport == .udp && flow.transport == .tcp)
            case .peer:
                configuration.account?.registers == false && server.transport == flow.transport
                    && server.remote.host == flow.remote.host
            }
        }
    }

    /// Whether calls and questions may come over this flow.
    func accepts(_ flow: Flow) -> Bool {
        configuration.accepts == .anyone || isListed(flow.remote.host) || isOwnServer(flow)
    }

    /// Whether the flow belongs to the call: the account's own server speaks for every far end behind it, and all others are
    /// known by the way of their dialog. A listed peer of the direct line, which has no server to find it again, may move to
    /// an address that is listed, too.
    func isOnPath(_ flow: Flow, of id: LegID) -> Bool {
        if isOwnServer(flow) || paths[id]?.includes(flow) == true { return true }
        if configuration.account == nil, isListed(flow.remote.host) { return true }
        // An account's far ends are behind its server: who else connects to it is none of them.
        guard flow.opener == .us || configuration.account == nil else { return false }
        return legs[id]?.nextHops.contains { $0.mayBeSource(of: flow, otherwise: usualTransport ?? .udp) } ?? false
    }

    /// Whether the flow belongs to any call.
    private func isOnSomePath(_ flow: Flow) -> Bool { legs.keys.contains { isOnPath(flow, of: $0) } }

    /// Whether the line has anything to do with whoever is at the other end of a flow.
    private func knows(_ flow: Flow) -> Bool {
        accepts(flow) || layer.awaitsResponse(over: flow) || isOnSomePath(flow)
    }

    // MARK: The account's transport

    /// The transport of the account: the configured one, else the one at which its server was found. Nil on the direct
    /// line, and before the server was found.
    var accountTransport: Flow.Transport? {
        guard let account = configuration.account else { return nil }
        return account.server.namedTransport ?? (registration.living.first ?? routing.home.first)?.transport
    }

    func uses(_ transport: Flow.Transport) -> Bool { accountTransport.map(transport.mayReplace) ?? true }

    /// Those of the ways to a hop that the line may take. The first one to the account's server says what is good enough
    /// from then on: whoever forges what the name service says, or keeps TLS from coming about, moves no account off it.
    func safe(_ found: [Flow], to hop: NextHop) -> [Flow] {
        let first = hop == configuration.account?.server ? found.first?.transport : nil
        guard let usual = accountTransport ?? first else { return found }
        return found.filter { $0.transport.mayReplace(usual) }
    }

    // MARK: Judging

    func admission(of message: SIPMessage, over flow: Flow) -> Admission {
        guard uses(flow.transport) else { return .ignored(.otherTransport) }
        switch message {
        // A response belongs to its request's flow, which the transactions compare.
        case .response: return .admitted
        case .request(let request): return admission(of: request, over: flow)
        }
    }

    private func admission(of request: SIPRequest, over flow: Flow) -> Admission {
        if let dialog = try? Dialog.ID(request), let leg = leg(of: dialog) {
            if isOnPath(flow, of: leg) { return .admitted }
            return request.method == .ack ? .ignored(.otherPath) : .refused(.callDoesNotExist, .otherPath)
        }
        if accepts(flow) { return .admitted }
        switch request.method {
        case .ack: return .ignored(.stranger)
        // A phone is nobody's registrar. Whoever guesses passwords takes 403 for a wrong one, and goes on for ever.
        case .register: return .refused(.methodNotAllowed, .stranger)
        // They name a call in other ways than by its dialog: who is in one may ask.
        case .cancel, .refer:
            return isOnSomePath(flow) ? .admitted : .refused(.forbidden, .stranger)
        default: return .refused(.forbidden, .stranger)
        }
    }

    /// Reads a message and gives it to whom it belongs to, if its sender may.
    mutating func receive(_ bytes: [UInt8], over flow: Flow, at now: Instant) {
        guard bytes.count <= Self.strangerLimit || knows(flow) else { return turnAway(.tooLong, nil, flow, at: now) }
        switch layer.read(bytes.span) {
        case .nothing: break
        case .malformed(let error, let refusal):
            outputs.append(.dropped(.malformed(error)))
            guard uses(flow.transport), let refusal else { return }
            answerStatelessly(layer.stateless(refusal, over: flow), to: bytes, over: flow, at: now)
        case .message(let message):
            switch admission(of: message, over: flow) {
            case .admitted: handle(layer.receive(message, over: flow, at: now), at: now)
            case .ignored(let why): turnAway(why, message, flow, at: now)
            case .refused(let status, let why):
                turnAway(why, message, flow, at: now)
                guard case .request(let request) = message else { return }
                var refusal = request.response(status, tag: context.identifiers.makeTag())
                // RFC 3261 §21.4.6.
                if status == .methodNotAllowed { refusal.headers.set(.allow, tokens: Self.allowed.map(\.name)) }
                answerStatelessly(layer.stateless(refusal, over: flow), to: bytes, over: flow, at: now)
            }
        }
    }

    /// A stranger gets no more bytes back than he sent: else he could have us send them to somebody else.
    private mutating func answerStatelessly(
        _ effects: [TransactionLayer.Effect], to bytes: [UInt8], over flow: Flow, at now: Instant
    ) {
        let isKnown = knows(flow)
        let fitting = effects.filter { effect in
            if case .send(let answer, _) = effect { isKnown || answer.count <= bytes.count } else { true }
        }
        handle(fitting, at: now)
    }

    private mutating func turnAway(_ why: GateRefusal, _ message: SIPMessage?, _ flow: Flow, at now: Instant) {
        outputs.append(.dropped(.stranger))
        guard case .request(let request)? = message else { return tellTurnedAway(nil, why, flow, at: now) }
        switch (request.method, why) {
        case (.invite, .stranger): tellRefused(request, because: .notAccepted, over: flow, at: now)
        case (.invite, .otherTransport): tellRefused(request, because: .otherTransport, over: flow, at: now)
        case (_, _): tellTurnedAway(request.method, why, flow, at: now)
        }
    }

    private mutating func tellTurnedAway(_ method: SIPMethod?, _ why: GateRefusal, _ flow: Flow, at now: Instant) {
        if limits.strangers.admit(at: now) { outputs.append(.turnedAway(method, from: flow, because: why)) }
    }
}

extension Leg {
    /// Where its dialogs send requests next, and so where the far end's come from.
    fileprivate var nextHops: [NextHop] {
        switch self {
        case .inviting(let inviting): inviting.early.values.compactMap { NextHop($0.dialog.nextHop) }
        case .placing, .offered, .established, .leaving: dialog.flatMap { NextHop($0.nextHop) }.map { [$0] } ?? []
        }
    }
}

extension NextHop {
    /// Whether a flow comes from here. The port of a connection that the far end opened says nothing (RFC 3261 §18.1.1): then
    /// the host must do, which nobody can pretend to be who does not receive what is sent there.
    fileprivate func mayBeSource(of flow: Flow, otherwise usual: Flow.Transport) -> Bool {
        let transport = namedTransport ?? usual
        guard host == flow.remote.host, transport == flow.transport || transport == .udp && flow.transport == .tcp
        else { return false }
        switch flow.opener {
        case .us: return (namedPort ?? transport.defaultPort) == flow.remote.port
        case .peer: return true
        }
    }
}
