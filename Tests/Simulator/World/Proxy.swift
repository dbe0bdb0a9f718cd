import Base
import SIPCore

/// A registrar and forking proxy, on the phone's own transaction layer.
///
/// It stays on the path of every dialog (Record-Route) and answers from the address that was asked. It takes two
/// liberties. It replaces the Via instead of keeping a stack, because the layer is an end and no relay. And it accepts
/// credentials without computing them, which `LineCoreTests` do.
struct Proxy: Sendable {
    /// The world's view of it.
    enum Output: Sendable {
        case send(Datagram)
        /// A caller calls these phones. `fork` calls them when the world decides.
        case asked(ServerTransactionID, Inquiry)
        case told(Story)
    }

    struct Inquiry: Sendable {
        let callID: String
        let caller: String
        let number: String
        /// The registered phones: the proxy's names for them.
        let targets: [String]
    }

    /// The state of a call at the server.
    enum Story: Equatable, Sendable {
        case invited(callID: String)
        /// A phone was called for it.
        case rang(callID: String, number: String)
        case answered(callID: String, number: String)
        /// No phone is called for it any more.
        case over(callID: String, Outcome)
    }

    enum Outcome: Equatable, Sendable { case cancelled, rejected(Int) }

    static let endpoint = Flow.Endpoint("192.0.2.100", 5060)
    static let name = "server.example"
    static let realm = "example"
    /// Its challenges.
    static let strength = DigestStrength(.md5, hasQuality: true)
    /// The prefix of its nonces only.
    private static let nonce = "n"
    /// The place of the backend's name of a call.
    static let callName = SIPHeaderName("X-Call-Name")

    var layer: TransactionLayer
    var bindings: [String: Flow.Endpoint] = [:]
    var calls: [ServerTransactionID: ForkedCall] = [:]
    var owners: [ClientTransactionID: Owner] = [:]
    var outputs: [Output] = []
    private let challenges: Bool
    let namesCalls: Bool
    private let isOverTLS: Bool
    private let makesBusy: @Sendable (String) -> SIPStatus?
    /// The phones of a number: one phone, or every one of a group but the caller.
    let phones: [String]
    private var nonces = 0

    /// The server transaction of a response to us.
    enum Owner: Sendable {
        case branch(of: ServerTransactionID)
        /// A request inside a dialog.
        case relayed(ServerTransactionID, SIPRequest, at: Instant)
    }

    init(phones: [String], challenges: Bool, namesCalls: Bool, isOverTLS: Bool, seed: UInt64) {
        var dice = Dice(seed: seed, "proxy")
        layer = TransactionLayer(identifiers: SIPIdentifiers(dice.fork()), limit: 4_096)
        (self.phones, self.challenges, self.namesCalls) = (phones, challenges, namesCalls)
        self.isOverTLS = isOverTLS
        makesBusy = { number in
            guard let status = Int(number), (400...699).contains(status), !phones.contains(number) else { return nil }
            return SIPStatus(status)
        }
    }

    var deadline: Instant? { layer.deadline }

    mutating func receive(_ datagram: Datagram, at now: Instant) -> [Output] {
        take(layer.receive(datagram.bytes.span, over: datagram.arrival, at: now), at: now)
        return takeOutputs()
    }

    mutating func deadlineReached(at now: Instant) -> [Output] {
        take(layer.deadlineReached(at: now), at: now)
        return takeOutputs()
    }

    mutating func takeOutputs() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    mutating func take(_ effects: [TransactionLayer.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .send(let bytes, let flow):
                outputs.append(.send(Datagram(bytes, over: flow, from: Self.endpoint)))
            case .request(let request, let id, let flow): take(request, id, over: flow, at: now)
            case .acknowledgement(let ack, _): relay(ack)
            case .cancelled(let id, let cancel): cancelled(id, by: cancel, at: now)
            case .response(let response, let id, _): take(response, of: id, at: now)
            case .timedOut(.client(let id)), .transportFailed(.client(let id)): unanswered(id, at: now)
            case .timedOut(.server), .transportFailed(.server), .dropped: break
            }
        }
    }

    // MARK: Requests

    private mutating func take(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        let isInDialog = ((try? request.headers.to.tag) ?? nil) != nil
        switch request.method {
        case .register: register(request, id, at: now)
        case .invite where !isInDialog: invite(request, id, over: flow, at: now)
        default:
            guard isInDialog, let hop = hop(of: request),
                let (client, effects) = send(unrouted(request), to: hop, at: now)
            else { return answer(request, .callDoesNotExist, id, at: now) }
            owners[client] = .relayed(id, request, at: now)
            take(effects, at: now)
        }
    }

    /// No sender waits for the ACK of a 2xx: it is forwarded and forgotten.
    private mutating func relay(_ ack: SIPRequest) {
        guard let hop = hop(of: ack) else { return }
        let flow = flow(to: hop)
        guard case .send(let bytes, _) = layer.acknowledge(unrouted(ack), over: flow) else { return }
        outputs.append(.send(Datagram(bytes, over: flow, from: Self.endpoint)))
    }

    mutating func send(
        _ request: SIPRequest, to hop: Flow.Endpoint, at now: Instant
    ) -> (ClientTransactionID, [TransactionLayer.Effect])? {
        do throws(TransactionLayer.Full) {
            return try layer.send(request, over: flow(to: hop), at: now)
        } catch {
            return nil
        }
    }

    mutating func answer(_ request: SIPRequest, _ status: SIPStatus, _ id: ServerTransactionID, at now: Instant) {
        take(layer.respond(request.response(status, tag: "server"), to: id, at: now), at: now)
    }

    /// Over TLS it is the connection that the phone has opened.
    private func flow(to phone: Flow.Endpoint) -> Flow {
        isOverTLS
            ? Flow(.tls, local: Self.endpoint, remote: phone, opener: .peer)
            : Flow(.udp, local: Self.endpoint, remote: phone)
    }

    private func hop(of request: SIPRequest) -> Flow.Endpoint? {
        guard case .sip(let uri) = request.uri else { return nil }
        return Flow.Endpoint(host: uri.host, port: uri.port ?? 5060)
    }

    /// Without our own Route.
    private func unrouted(_ request: SIPRequest) -> SIPRequest {
        var request = request
        request.headers[.route] = nil
        return request
    }

    // MARK: Registering

    private mutating func register(_ request: SIPRequest, _ id: ServerTransactionID, at now: Instant) {
        guard hasCredentials(request, .authorization) else {
            return challenge(request, .unauthorized, .wwwAuthenticate, id, at: now)
        }
        guard let user = (try? request.headers.to.uri.sip?.user) ?? nil,
            let contact = (try? request.headers.contacts.first) ?? nil, case .sip(let uri) = contact.uri
        else { return answer(request, .badRequest, id, at: now) }
        let expires = ((try? request.headers.expires) ?? nil) ?? 600
        bindings[user] = expires == 0 ? nil : Flow.Endpoint(host: uri.host, port: uri.port ?? 5060)
        var response = request.response(.ok, tag: "server")
        var granted = contact
        granted.parameters["expires"] = "\(expires)"
        if expires > 0 { response.headers.set(.contact, granted) }
        take(layer.respond(response, to: id, at: now), at: now)
    }

    private func hasCredentials(_ request: SIPRequest, _ name: SIPHeaderName) -> Bool {
        guard challenges else { return true }
        let answer = (try? request.headers.single(name, as: Authentication.self)) ?? nil
        return answer?.parameters["response"] != nil && answer?.parameters["realm"] == Self.realm
            && answer?.parameters["nonce"].map { Int($0.dropFirst(Self.nonce.count)) != nil } == true
    }

    private mutating func challenge(
        _ request: SIPRequest, _ status: SIPStatus, _ name: SIPHeaderName, _ id: ServerTransactionID, at now: Instant
    ) {
        nonces += 1
        var response = request.response(status, tag: "server")
        response.headers[name] =
            "Digest realm=\"\(Self.realm)\", nonce=\"\(Self.nonce)\(nonces)\", algorithm=MD5, qop=\"auth\""
        take(layer.respond(response, to: id, at: now), at: now)
    }

    // MARK: A new call

    private mutating func invite(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        guard hasCredentials(request, .proxyAuthorization) else {
            return challenge(request, .proxyAuthenticationRequired, .proxyAuthenticate, id, at: now)
        }
        guard let number = request.uri.sip?.user, let caller = (try? request.headers.from.uri.sip?.user) ?? nil,
            let callID = request.headers[.callID]
        else { return answer(request, .badRequest, id, at: now) }
        if let status = makesBusy(number) { return answer(request, status, id, at: now) }
        let wanted = phones.contains(number) ? [number] : isGroup(number) ? phones.filter { $0 != caller } : []
        guard !wanted.isEmpty else { return answer(request, .notFound, id, at: now) }
        let targets = wanted.filter { bindings[$0] != nil }
        guard !targets.isEmpty else { return answer(request, .temporarilyUnavailable, id, at: now) }
        forget(before: now)
        calls[id] = ForkedCall(callID: callID, request: request, at: now)
        outputs.append(.told(.invited(callID: callID)))
        outputs.append(
            .asked(id, Inquiry(callID: callID, caller: caller, number: number, targets: targets)))
    }

    private func isGroup(_ number: String) -> Bool { number.hasPrefix("2") && number.count == 3 }
}
