import Base
import SDPCore
import SIPCore

/// Decides which messages are read at all. The flow identifies a sender, never the content of its message. Every
/// message passes here before it touches a transaction, a dialog, a subscription or the registration.
extension LineMachine {
    /// The decision on a message.
    enum Admission: Equatable {
        case admitted
        /// The sender has no part in the call or request that the message names. It gets this status, and no state is
        /// kept.
        case refused(SIPStatus, GateRefusal)
        case ignored(GateRefusal)
    }

    /// The longest message that is read from an unknown source, in bytes.
    public static let strangerLimit = 4_096

    // MARK: Trusted flows

    /// Whether a message over this flow comes from the account's own server, which is trusted (RFC 3325 §9.1).
    ///
    /// It does over a connection that we opened to the server, or from exactly the endpoint at which the server was
    /// located. We may also send a long request over a stream to a server for datagrams (RFC 3261 §18.1.1).
    ///
    /// If the account does not register, the server connects to an address that a person configured there. Its port
    /// says nothing (§18.1.1), so only the host is compared. Over TLS that connection showed the server's certificate
    /// before it carried a message.
    func isOwnServer(_ flow: Flow) -> Bool {
        (routing.home + registration.living).contains { server in
            switch flow.opener {
            case .us:
                server.remote == flow.remote
                    && (server.transport == flow.transport || server.transport == .udp && flow.transport == .tcp)
            case .peer:
                configuration.account?.registers == false && server.transport == flow.transport
                    && server.remote.address == flow.remote.address
            }
        }
    }

    /// Whether calls and other requests may come over this flow.
    func accepts(_ flow: Flow) -> Bool {
        configuration.accepts == .anyone || isListed(flow.remote.host) || isOwnServer(flow)
    }

    /// Whether the flow belongs to the call. The account's own server speaks for every far end behind it. All other
    /// senders are identified by the flows of their dialog, and by the addresses that its Contact and Route named over
    /// these (RFC 3261 §12.2.1.1). A host that may call us has no rights in other calls.
    func belongs(_ flow: Flow, to id: CallID) -> Bool {
        if isOwnServer(flow) || dialogFlows[id]?.includes(flow) == true { return true }
        // An account's far ends are behind its server, so no other host that connects to us can be one of them.
        guard flow.opener == .us || configuration.account == nil, dialogFlows[id]?.allows(flow.transport) ?? true else {
            return false
        }
        let usual = usualTransport(of: id) ?? .udp
        return legs[id]?.nextHops.contains { $0.mayBeSource(of: flow, otherwise: usual) } ?? false
    }

    /// Whether the flow belongs to any call.
    private func belongsToAnyCall(_ flow: Flow) -> Bool { legs.keys.contains { belongs(flow, to: $0) } }

    /// Whether the line has any business with the remote end of a flow.
    private func knows(_ flow: Flow) -> Bool {
        accepts(flow) || layer.awaitsResponse(over: flow) || belongsToAnyCall(flow)
    }

    // MARK: The account's transport

    /// The transport of the account. It is the configured one, or TLS if the server was ever reached over it, or else
    /// the one with which the server was located. Nil on the direct line, and before the server is located.
    var accountTransport: Flow.Transport? {
        guard let account = configuration.account else { return nil }
        if let named = account.server.namedTransport { return named }
        return trust.isOverTLS ? .tls : (registration.living.first ?? routing.home.first)?.transport
    }

    func uses(_ transport: Flow.Transport) -> Bool { accountTransport.map(transport.mayReplace) ?? true }

    // MARK: Admission

    func admission(of message: SIPMessage, over flow: Flow) -> Admission {
        guard uses(flow.transport) else { return .ignored(.otherTransport) }
        switch message {
        // A response belongs to its request's flow, which the transaction layer compares.
        case .response: return .admitted
        case .request(let request): return admission(of: request, over: flow)
        }
    }

    private func admission(of request: SIPRequest, over flow: Flow) -> Admission {
        if let dialog = try? Dialog.ID(request), let leg = leg(of: dialog) {
            if belongs(flow, to: leg) || isMoved(request, over: flow, to: leg) { return .admitted }
            return request.method == .ack ? .ignored(.otherPath) : .refused(.callDoesNotExist, .otherPath)
        }
        if accepts(flow) { return .admitted }
        switch request.method {
        case .ack: return .ignored(.stranger)
        // A phone is not a registrar. A program that guesses passwords would take 403 for a wrong password, and go on
        // for ever.
        case .register: return .refused(.methodNotAllowed, .stranger)
        // These name a call without its dialog, so the sender must be on the path of a call.
        case .cancel, .refer:
            return belongsToAnyCall(flow) ? .admitted : .refused(.forbidden, .stranger)
        default: return .refused(.forbidden, .stranger)
        }
    }

    /// Reads a message, and passes it on if its sender is admitted.
    mutating func receive(_ bytes: [UInt8], over flow: Flow, at now: Instant) {
        guard bytes.count <= Self.strangerLimit || knows(flow) else { return turnAway(.tooLong, nil, flow, at: now) }
        switch layer.read(bytes.span) {
        case .nothing: break
        case .malformed(let error, let refusal):
            outputs.append(.dropped(.malformed(error)))
            tellDropped(.unreadable(error), flow, at: now)
            tellUnread(refusal, over: flow, at: now)
            guard uses(flow.transport), let refusal else { return }
            answerStatelessly(layer.stateless(refusal, over: flow), to: bytes, over: flow, at: now)
        case .message(let message):
            switch admission(of: message, over: flow) {
            case .admitted:
                let effects = layer.receive(message, over: flow, at: now)
                tellUntaken(message, effects, over: flow, at: now)
                if effects.contains(.dropped(.misroutedResponse)) { tellDropped(.forwarded, flow, at: now) }
                if effects.contains(.dropped(.otherFlow)) { tellTurnedAway(nil, .otherSource, flow, at: now) }
                handle(effects, at: now)
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

    /// An unknown source gets no more bytes back than it sent. Otherwise it could use us to flood a forged address.
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

    /// Reports a dropped message of the account's server or of a far end. Without the report, a person would see a call
    /// or a registration fail for no reason.
    private mutating func tellDropped(_ why: GateRefusal, _ flow: Flow, at now: Instant) {
        guard uses(flow.transport), knows(flow), limits.dropped.admit(at: now) else { return }
        outputs.append(.turnedAway(nil, from: flow, because: why))
    }

    private mutating func tellTurnedAway(_ method: SIPMethod?, _ why: GateRefusal, _ flow: Flow, at now: Instant) {
        if limits.strangers.admit(at: now) { outputs.append(.turnedAway(method, from: flow, because: why)) }
    }
}

extension Leg {
    /// Where the leg's dialogs send their next requests, and so where the far end's requests come from.
    var nextHops: [NextHop] {
        switch self {
        case .inviting(let inviting): inviting.early.values.compactMap { NextHop($0.dialog.nextHop) }
        case .locating, .offered, .established, .leaving: dialog.flatMap { NextHop($0.nextHop) }.map { [$0] } ?? []
        }
    }
}

extension NextHop {
    /// Whether a flow comes from this hop. The port of a connection that the far end opened says nothing (RFC 3261
    /// §18.1.1), so only the host is compared. A sender cannot pretend to be a host unless it receives what is sent to
    /// that host.
    func mayBeSource(of flow: Flow, otherwise usual: Flow.Transport) -> Bool {
        let transport = namedTransport ?? usual
        guard host == flow.remote.host, transport == flow.transport || transport == .udp && flow.transport == .tcp
        else { return false }
        switch flow.opener {
        case .us: return (namedPort ?? transport.defaultPort) == flow.remote.port
        case .peer: return true
        }
    }
}

/// Peers of the direct line that changed their address. An account's server finds its far ends again itself.
extension LineMachine {
    /// Whether a request shows that the call's far end has moved to this flow. A re-INVITE or UPDATE names the new
    /// Contact (RFC 3261 §12.2.1.1).
    ///
    /// The names in the request prove nothing, because anyone who has seen a message of the call knows them. So the
    /// request must come from a listed host and from exactly the address in its Contact, over a transport that the call
    /// may take. It must also offer the SDES key that already protects the far end's voice. A certificate's fingerprint
    /// proves nothing, because everybody on the path may know it.
    func isMoved(_ request: SIPRequest, over flow: Flow, to id: CallID) -> Bool {
        guard configuration.account == nil, isListed(flow.remote.host),
            request.method == .invite || request.method == .update,
            dialogFlows[id]?.allows(flow.transport) == true, let contact = try? request.headers.contacts.first,
            let hop = NextHop(contact.uri), hop.mayBeSource(of: flow, otherwise: usualTransport(of: id) ?? .udp),
            case .established(let established) = legs[id],
            let key = established.offerAnswer.agreed?.media.sdes?.receiveKey,
            let body = try? request.body(of: .sdp), let offer = try? SessionDescription(parsing: body)
        else { return false }
        return offer.names(key)
    }
}

extension LineMachine {
    /// How well the line knows the source of a message. A `friend` is the account's server, the far end of a call, or a
    /// host that still owes us a response.
    public func acquaintance(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let talks = talks(with: source)
        return isListed(source.host) ? max(talks, .host) : talks
    }

    private func talks(with source: Flow.Endpoint) -> SourceLimits.Acquaintance {
        let flows = routing.home + registration.living + sent.values.map(\.flow) + dialogFlows.values.flatMap(\.flows)
        let ends = flows.map(\.remote) + legs.values.compactMap(\.farEnd)
        return ends.reduce(.stranger) { known, end in
            max(known, end == source ? .friend : end.address == source.address ? .host : .stranger)
        }
    }

    func isListed(_ host: String) -> Bool {
        switch configuration.accepts {
        case .listed(let hosts): hosts.contains(host)
        case .anyone, .ownServerOnly: false
        }
    }
}

extension Leg {
    /// The address in the far end's Contact, if it is numeric. An unanswered caller could write any address there, so
    /// its Contact is not trusted, only the flow of its call.
    fileprivate var farEnd: Flow.Endpoint? {
        if case .offered = self { return nil }
        return dialog.flatMap { NextHop($0.nextHop) }.flatMap { Flow.Endpoint(host: $0.host, port: $0.port) }
    }
}

/// Reports calls that are refused before the line looks at them, in the same way as all refused calls.
///
/// A merged request (482, RFC 3261 §8.2.2.2) is not reported. It is a copy of an INVITE that came over another path,
/// and that INVITE was offered or reported itself.
extension LineMachine {
    /// An INVITE that cannot be read gets 400 without a transaction.
    /// - Parameter refusal: The response, which has the request's names. Nil: the bytes do not show where to send one.
    mutating func tellUnread(_ refusal: SIPResponse?, over flow: Flow, at now: Instant) {
        guard let refusal, refusal.headers[.cSeq]?.split(separator: " ").last == "INVITE" else { return }
        let request = SIPRequest(.invite, .other(scheme: "unread", rest: "uri"), headers: refusal.headers)
        if let dialog = try? Dialog.ID(request), leg(of: dialog) != nil { return }
        let why: CallRefusal =
            if !uses(flow.transport) { .otherTransport } else if accepts(flow) { .malformed } else { .notAccepted }
        tellRefused(request, because: why, over: flow, at: now)
    }

    /// An INVITE for which the transaction layer has no room gets 503 without a transaction.
    mutating func tellUntaken(
        _ message: SIPMessage, _ effects: [TransactionLayer.Effect], over flow: Flow, at now: Instant
    ) {
        guard case .request(let request) = message, request.method == .invite, (try? request.headers.to)?.tag == nil,
            effects.contains(.dropped(.tooManyTransactions))
        else { return }
        tellRefused(request, because: .noRoom, over: flow, at: now)
    }
}

/// Why a message is not read. It helps to find out why a call does not arrive.
public enum GateRefusal: Equatable, Sendable {
    /// The sender is neither the account's server nor a listed peer.
    case stranger
    /// The message is about a call, but did not come over a flow of that call.
    case otherPath
    /// The account does not use this transport.
    case otherTransport
    /// The message is longer than the limit for unknown sources.
    case tooLong
    /// The sender is known, but the message has a fault that hides which call or request it belongs to.
    case unreadable(SIPParseError)
    /// A response with more than one Via is meant for a proxy (RFC 3261 §8.1.3.3).
    case forwarded
    /// The message names a request that went to another address, or over another connection.
    case otherSource

    /// The longest part of a method's name in a report, in bytes. The sender chooses the name and its length.
    private static let methodBytes = 32

    /// The refusal as a sentence for people.
    /// - Parameter method: Nil for a response, and for a message that was not read.
    public func text(_ method: SIPMethod?, from flow: Flow) -> String {
        let what = method.map { "a request \($0.name.shown(bytes: Self.methodBytes))" } ?? "a message"
        return
            "\(what) from \(flow.remote.host) port \(flow.remote.port) over \(flow.transport.name) was not read: \(why)"
    }

    private var why: String {
        switch self {
        case .stranger: "the sender is neither the account's server nor a listed peer"
        case .otherPath: "it belongs to a call that uses another path"
        case .otherTransport: "the account does not use this transport"
        case .tooLong: "it is too long for an unknown sender"
        case .unreadable(let error): error.sentence
        case .forwarded: "it has more than one Via, so it is meant for another program"
        case .otherSource: "it belongs to a request that used another address or connection"
        }
    }
}

extension SIPParseError {
    /// What is wrong with a message, for people.
    fileprivate var sentence: String {
        guard let header else { return "it is not a valid SIP message (\(kind) at byte \(offset))" }
        return switch kind {
        case .missing: "it has no \(header)"
        case .repeated: "it has more than one \(header)"
        default: "its \(header) cannot be read (\(kind) at byte \(offset))"
        }
    }
}
