import SIPCore

/// A call whose far end is the enemy, behind a server that passes everything on.
struct HostileCall: Sendable {
    /// What he answers to a call of a phone.
    enum Trick: CaseIterable, Sendable {
        /// A weaker challenge than the server's own.
        case challenge
        case proxyChallenge
        /// "Call this number instead."
        case redirect
        /// An answer, and another, and another, each of somebody else.
        case forks
        /// An answer, and then "call this number for me".
        case refer
    }

    let callID: String
    /// In order of their making.
    let number: Int
    private let trick: Trick
    private var phone: Flow.Endpoint?
    private var referrals = 0

    private static let forks = 40

    init(answering request: SIPRequest, trick: Trick) {
        callID = request.headers[.callID] ?? ""
        number = 0
        self.trick = trick
    }

    init(calling phone: Flow.Endpoint, number: Int) {
        callID = "enemy-\(number)"
        (self.number, self.phone) = (number, phone)
        trick = .refer
    }

    /// His own call, whose names are longer than any person's.
    func invite(answersItself: Bool) -> [UInt8] {
        var request = Forger(number: number).fresh(.invite)
        request.headers[.callID] = callID
        request.headers[.via] = "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-\(callID);rport"
        request.headers[.from] = "\"e\(String(repeating: "\u{301}", count: 900))\" <sip:100@\(Proxy.name)>;tag=enemy"
        if !answersItself { request.headers[SIPHeaderName("Answer-Mode")] = nil }
        return request.bytes
    }

    /// What he says to a message of the phone.
    mutating func hear(_ datagram: Datagram) -> [[UInt8]] {
        switch try? SIPMessage(datagram.bytes.span) {
        case .request(let request)?: return hear(request)
        case .response(let response)?: return hear(response)
        case nil: return []
        }
    }

    private mutating func hear(_ request: SIPRequest) -> [[UInt8]] {
        let forger = Forger(number: number)
        switch request.method {
        case .invite where ((try? request.headers.to.tag) ?? nil) == nil: return answer(request, forger)
        case .invite: return [request.response(.notAcceptableHere, tag: "enemy").bytes]
        case .ack:
            guard trick == .refer, referrals < 3 else { return [] }
            referrals += 1
            return forger.inDialog(.refer, like: .request(request), isPhones: true).map { [$0.bytes] } ?? []
        case .cancel: return [request.response(.ok, tag: "enemy").bytes]
        default: return [request.response(.ok).bytes]
        }
    }

    private func answer(_ request: SIPRequest, _ forger: Forger) -> [[UInt8]] {
        // A server that lets everything pass does not let that pass (RFC 3261 §16.3).
        if request.headers[.maxForwards] == "0" { return [request.response(SIPStatus(483), tag: "server").bytes] }
        switch trick {
        case .challenge: return [forger.response(to: request, .unauthorized).bytes]
        case .proxyChallenge: return [forger.response(to: request, .proxyAuthenticationRequired).bytes]
        case .redirect: return [forger.response(to: request, .movedTemporarily).bytes]
        case .forks: return (0..<Self.forks).map { Forger(number: $0).response(to: request, .ok).bytes }
        case .refer: return [forger.response(to: request, .ok).bytes]
        }
    }

    private mutating func hear(_ response: SIPResponse) -> [[UInt8]] {
        guard response.status.isFinal, let cSeq = response.headers[.cSeq], cSeq.hasSuffix("INVITE") else { return [] }
        var ack = Forger(number: number).fresh(.ack)
        for name in [SIPHeaderName.from, .to, .callID] { ack.headers[name] = response.headers[name] }
        ack.headers[.cSeq] = cSeq.replacing("INVITE", with: "ACK")
        ack.body = []
        if response.status.isSuccess {
            ack.headers[.via] = "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-\(callID)-ack;rport"
            var refer = Forger(number: number).fresh(.refer)
            for name in [SIPHeaderName.from, .to, .callID] { refer.headers[name] = response.headers[name] }
            refer.headers[.cSeq] = "9 REFER"
            refer.headers[.via] = "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-\(callID)-refer;rport"
            return [ack.bytes, refer.bytes]
        }
        ack.headers[.via] = "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-\(callID);rport"
        return [ack.bytes]
    }
}
