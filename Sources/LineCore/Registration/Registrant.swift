import Base
import SIPCore

/// Writes the REGISTER requests of one identity, and finds our binding in the responses.
package struct Registrant: Equatable, Sendable {
    /// One Call-ID serves the whole life of the identity, over every flow, with a rising CSeq (RFC 3261 §10.2,
    /// §10.2.4).
    private let callID: String
    private let tag: String
    private var sequence: UInt32 = 0
    /// The shortest registration that the server accepts, in seconds, once it has named one.
    var minimumExpires: UInt32 = 0
    /// Whether we ask the server to support several flows. False once a proxy on the path has refused that (RFC 5626
    /// §6).
    var asksForOutbound = true

    init(callID: String, tag: String) {
        self.callID = callID
        self.tag = tag
    }

    mutating func nextSequence() -> UInt32 {
        sequence += 1
        return sequence
    }

    /// - Parameter expires: Seconds; 0 removes the binding.
    mutating func request(
        _ account: LineConfiguration.Account, _ number: RegisteredFlow.Number, over flow: Flow, expires: UInt32,
        in context: LineContext
    ) -> SIPRequest {
        let own = URI.sip(SIPURI(user: context.configuration.user, host: account.domain))
        var request = SIPRequest(
            .register, .sip(SIPURI(host: account.domain)),
            from: NameAddress(own, displayName: context.configuration.displayName, tag: tag),
            to: NameAddress(own), callID: callID, sequence: nextSequence())
        var contact = context.binding(on: flow)
        contact.instance = account.instance
        if asksForOutbound, account.instance != nil { contact.registrationID = number }
        request.headers.set(.supported, tokens: extensions(account))
        request.headers.set(.contact, contact)
        request.headers.set(.expires, SIPNumber(expires))
        request.headers.set(.allow, tokens: LineMachine.allowed.map(\.name))
        request.headers[.userAgent] = context.configuration.userAgent
        return request
    }

    private func extensions(_ account: LineConfiguration.Account) -> [String] {
        guard account.instance != nil else { return ["path"] }
        return ["path"] + (asksForOutbound ? ["outbound"] : []) + (account.asksForGRUU ? ["gruu"] : [])
    }

    /// Whether the server supports several flows to us.
    func isOutbound(_ response: SIPResponse, _ account: LineConfiguration.Account) -> Bool {
        response.saysOutbound && asksForOutbound && account.instance != nil
    }

    /// Finds our binding among all bindings of the account (RFC 3261 §10.2.4).
    ///
    /// It matches the flow's number, then the binding's address, then our instance if a proxy changed the address. Last
    /// it matches the address from which the server saw our request come.
    func binding(
        in response: SIPResponse, _ account: LineConfiguration.Account, _ number: RegisteredFlow.Number,
        over flow: Flow, in context: LineContext
    ) -> NameAddress? {
        let contacts = (try? response.headers.contacts) ?? []
        let ours = contacts.filter { $0.instance != nil && $0.instance == account.instance }
        let own = context.binding(on: flow)
        let seen = response.seenEndpoint
        return ours.first { $0.registrationID == number }
            ?? contacts.first { $0.uri.isEquivalent(to: own.uri) } ?? ours.first
            ?? contacts.first { contact in
                seen.map { contact.uri.sip?.host == $0.host && contact.uri.sip?.port == $0.port } ?? false
            }
    }

    /// How long the server keeps our binding, in seconds.
    ///
    /// A server may have written another address into our Contact. Then any binding without another device's instance
    /// may be ours, and the shortest of them counts, because an early renewal does no harm.
    func granted(
        in response: SIPResponse, to binding: NameAddress?, _ account: LineConfiguration.Account
    ) -> UInt32 {
        if let expires = binding?.expires { return expires }
        let contacts = binding == nil ? (try? response.headers.contacts) ?? [] : []
        let others = contacts.filter { $0.instance == nil || $0.instance == account.instance }
        return others.compactMap(\.expires).min() ?? ((try? response.headers.expires) ?? nil)
            ?? max(account.expires, minimumExpires)
    }
}

extension LineContext {
    /// An OPTIONS that checks whether the account's server is there. Any answer counts, even a challenge.
    mutating func inquiry(over flow: Flow) -> SIPRequest? {
        guard let account = configuration.account else { return nil }
        let server = URI.sip(SIPURI(host: account.domain))
        let own = URI.sip(SIPURI(user: configuration.user, host: account.domain))
        var request = SIPRequest(
            .options, server, from: NameAddress(own, tag: identifiers.makeTag()), to: NameAddress(server),
            callID: identifiers.makeCallID(), sequence: 1)
        request.headers.set(.contact, contact(on: flow))
        request.headers[.userAgent] = configuration.userAgent
        return request
    }
}

extension SIPResponse {
    /// The address from which the receiver saw our request come (RFC 3581 §4). Nil: the response does not name it.
    var seenEndpoint: Flow.Endpoint? {
        guard let via = try? headers.topVia, let host = via.received, let port = via.rport else { return nil }
        return Flow.Endpoint(host: host, port: port)
    }

    /// Whether the registrar applied RFC 5626 §6. A server that only lists the option as supported may not.
    var saysOutbound: Bool { (try? headers.tokens(.require))?.contains { $0.lowercased() == "outbound" } ?? false }
}
