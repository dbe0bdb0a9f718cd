import SIPCore

/// Writes the REGISTER requests of one identity, and finds our binding in the responses.
package struct Registrant: Equatable, Sendable {
    /// There is one Call-ID for as long as the identity lives, with rising CSeq (RFC 3261 §10.2, §10.2.4), over every
    /// flow.
    private let callID: String
    private let tag: String
    private var sequence: UInt32 = 0
    /// The shortest registration that the server accepts, in seconds, once it has said so.
    var minimumExpires: UInt32 = 0
    /// Whether the server is asked to tell our flows apart. False once a proxy on the path refused that (RFC 5626 §6).
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

    /// Whether the server tells our flows apart.
    func isOutbound(_ response: SIPResponse, _ account: LineConfiguration.Account) -> Bool {
        response.saysOutbound && asksForOutbound && account.instance != nil
    }

    /// Finds our binding among all that the account has (RFC 3261 §10.2.4): by the flow's number, by its address, or by
    /// our instance if a proxy changed the address.
    func binding(
        in response: SIPResponse, _ account: LineConfiguration.Account, _ number: RegisteredFlow.Number,
        over flow: Flow, in context: LineContext
    ) -> NameAddress? {
        let contacts = (try? response.headers.contacts) ?? []
        let ours = contacts.filter { $0.instance != nil && $0.instance == account.instance }
        let own = context.binding(on: flow)
        return ours.first { $0.registrationID == number }
            ?? contacts.first { $0.uri.isEquivalent(to: own.uri) } ?? ours.first
    }
}

extension SIPResponse {
    /// Whether the registrar works as RFC 5626 §6 says. A server that only lists the option as supported may not.
    var saysOutbound: Bool { (try? headers.tokens(.require))?.contains { $0.lowercased() == "outbound" } ?? false }
}
