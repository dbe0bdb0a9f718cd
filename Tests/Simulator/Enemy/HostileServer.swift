import SIPCore

/// The account's own server, when the enemy controls it: every message comes over the flow that a phone trusts.
struct HostileServer: Sendable {
    /// Its response to a registration.
    enum Reply: CaseIterable, Sendable {
        case weak, strong, unknownAlgorithm, otherRealm, manyRealms, staleForEver, otherScheme
        case movedElsewhere, mustBeLong, later, briefly, routedElsewhere, manyFinals
    }

    /// Its own messages outside any dialog.
    enum Word: CaseIterable, Sendable {
        case options, messages, strangeEvent, message, refer, subscribe, register, cancel, unknown
    }

    let number: Int

    func answers(to register: SIPRequest, _ reply: Reply) -> [[UInt8]] {
        switch reply {
        case .weak: [challenge(register, Forger.challenge)]
        case .strong: [challenge(register, Forger.strongerChallenge)]
        case .unknownAlgorithm: [challenge(register, "Digest realm=\"example\", nonce=\"\(nonce)\", algorithm=ROT13")]
        case .otherRealm: [challenge(register, "Digest realm=\"other\", nonce=\"\(nonce)\", algorithm=SHA-256")]
        case .manyRealms:
            [
                challenge(
                    register, "Digest realm=\"example\", nonce=\"\(nonce)a\", algorithm=SHA-256, qop=\"auth-int\"",
                    "Digest realm=\"other\", nonce=\"\(nonce)b\"")
            ]
        case .staleForEver:
            [challenge(register, "Digest realm=\"example\", nonce=\"\(nonce)\", stale=true, qop=\"auth\"")]
        case .otherScheme: [challenge(register, "Basic realm=\"example\"")]
        case .movedElsewhere: [Forger(number: number).response(to: register, .movedTemporarily).bytes]
        case .mustBeLong: [response(register, .intervalTooBrief) { $0[.minExpires] = "4000000000" }]
        case .later: [response(register, .serviceUnavailable) { $0[.retryAfter] = "2" }]
        case .briefly: [granted(register, expires: 5)]
        case .routedElsewhere:
            [granted(register, expires: 60) { $0[.serviceRoute] = "<sip:\(Enemy.endpoint.host);lr>" }]
        case .manyFinals:
            [granted(register, expires: 60), challenge(register, Forger.challenge), granted(register, expires: 0)]
        }
    }

    func says(_ word: Word, to phone: Flow.Endpoint) -> [UInt8] {
        let forger = Forger(number: number)
        var request: SIPRequest
        switch word {
        case .options: request = forger.fresh(.options)
        case .messages: request = forger.fresh(.notify)
        case .strangeEvent:
            request = forger.fresh(.notify)
            request.headers[.event] = "check-sync;reboot=true"
        case .message: request = forger.fresh(.message)
        case .refer: request = forger.fresh(.refer)
        case .subscribe: request = forger.fresh(.subscribe)
        case .register: request = forger.fresh(.register)
        case .cancel: request = forger.fresh(.cancel)
        case .unknown: request = forger.fresh(SIPMethod("OBEY"))
        }
        request.headers[.via] = "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-server\(number);rport"
        return request.bytes
    }

    private var nonce: String { "server-\(number)" }

    private func challenge(_ request: SIPRequest, _ challenges: String...) -> [UInt8] {
        response(request, .unauthorized) { headers in
            for challenge in challenges { headers.append(.wwwAuthenticate, challenge) }
        }
    }

    private func granted(
        _ request: SIPRequest, expires: Int, _ edit: (inout SIPHeaders) -> Void = { _ in }
    ) -> [UInt8] {
        response(request, .ok) { headers in
            headers[.contact] = request.headers[.contact].map { "\($0);expires=\(expires)" }
            edit(&headers)
        }
    }

    private func response(_ request: SIPRequest, _ status: SIPStatus, _ edit: (inout SIPHeaders) -> Void) -> [UInt8] {
        var response = request.response(status, tag: "hostile")
        edit(&response.headers)
        return response.bytes
    }
}
