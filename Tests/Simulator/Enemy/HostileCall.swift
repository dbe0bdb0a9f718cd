import SIPCore

/// A call whose far end is the enemy, behind a server that forwards everything or attacks itself: a phone cannot
/// distinguish the two.
struct HostileCall: Sendable {
    /// Its response to a call of a phone.
    enum Trick: CaseIterable, Sendable {
        /// A weaker challenge than the server's own.
        case challenge
        case proxyChallenge
        /// A stronger one, whose answer is accepted.
        case strongerChallenge
        /// A redirect: to an expensive number, or to a permitted one.
        case redirect
        case redirectHome
        /// An answer, and two more, each from another party.
        case forks
        /// An answer, and then a REFER.
        case refer
        /// An answer that removes the server from the route.
        case elsewhere
        /// An answer with a meaningless session.
        case nonsense
        /// A refusal, an answer, and another refusal.
        case manyFinals
    }

    let callID: String
    /// The number of the call, in the order of creation.
    let number: Int
    private let trick: Trick
    private var referrals = 0
    /// Both ends as named in its requests, once the call is up.
    private var dialog: (from: String, to: String)?
    private var sequence = 10
    /// The rest of its digits: the next one goes when the former was accepted.
    private var digits: [Character] = []
    private var forks = 0

    private static let waves = 40
    /// Every second time in clear, whatever the call came over.
    private var elsewhere: String { "<sip:100@\(Enemy.elsewhere.host)\(number % 2 == 0 ? ";transport=udp" : "")>" }

    init(answering request: SIPRequest, trick: Trick, number: Int) {
        callID = request.headers[.callID] ?? ""
        (self.number, self.trick) = (number, trick)
    }

    init(number: Int) {
        callID = "enemy-\(number)"
        (self.number, trick) = (number, .refer)
    }

    var isUp: Bool { dialog != nil }

    private var forger: Forger { Forger(number: number) }

    /// Its own call, with names longer than any person's.
    func invite(as mask: Mask, answersItself: Bool) -> [UInt8] {
        var request = forger.fresh(.invite)
        mask.wear(&request.headers)
        request.headers[.callID] = callID
        request.headers[.via] = via("")
        if !answersItself { request.headers[.answerMode] = nil }
        return request.bytes
    }

    private func via(_ branch: String) -> String {
        "SIP/2.0/UDP \(Proxy.endpoint.host):5060;branch=z9hG4bK-\(callID)\(branch);rport"
    }

    // MARK: Its own actions

    /// Begins to dial in an active call.
    mutating func dial(_ text: String) -> [UInt8]? {
        digits = Array(text)
        return nextDigit()
    }

    private mutating func nextDigit() -> [UInt8]? {
        guard !digits.isEmpty, var request = inDialog(.info) else { return nil }
        request.body = Array("Signal=\(digits.removeFirst())\r\nDuration=100\r\n".utf8)
        return request.bytes
    }

    /// The next request of an active call.
    mutating func inDialog(_ method: SIPMethod) -> SIPRequest? {
        guard let dialog else { return nil }
        sequence += 1
        var request = forger.fresh(method)
        request.headers[.from] = dialog.from
        request.headers[.to] = dialog.to
        request.headers[.callID] = callID
        request.headers[.cSeq] = "\(sequence) \(method)"
        request.headers[.via] = via("-\(sequence)")
        // A Contact with its forging address would admit that address to the call.
        if trick == .elsewhere { request.headers[.contact] = elsewhere }
        if method == .bye { self.dialog = nil }
        return request
    }

    // MARK: Its responses to the phone

    mutating func hear(_ datagram: Datagram) -> [[UInt8]] {
        switch try? SIPMessage(datagram.bytes.span) {
        case .request(let request)?: return hear(request)
        case .response(let response)?: return hear(response)
        case nil: return []
        }
    }

    private mutating func hear(_ request: SIPRequest) -> [[UInt8]] {
        switch request.method {
        case .invite where ((try? request.headers.to.tag) ?? nil) == nil: return answer(request)
        case .ack:
            guard request.headers[.to]?.contains("tag=enemy") == true, let from = request.headers[.from],
                let to = request.headers[.to]
            else { return [] }
            dialog = (to, from)
            guard trick == .refer, referrals < 3 else { return [] }
            referrals += 1
            return inDialog(.refer).map { [$0.bytes] } ?? []
        case .cancel: return [request.response(.ok, tag: "enemy").bytes]
        case .bye:
            dialog = nil
            return [answerInDialog(request).bytes]
        default: return [answerInDialog(request).bytes]
        }
    }

    /// Not every far end accepts requests in a call.
    private func answerInDialog(_ request: SIPRequest) -> SIPResponse {
        switch number % 5 {
        case 0: forger.response(to: request, .unauthorized)
        case 1: forger.response(to: request, .proxyAuthenticationRequired)
        case 2: forger.response(to: request, .movedTemporarily)
        case 3 where request.method == .invite: request.response(.notAcceptableHere, tag: "enemy")
        default: request.response(.ok)
        }
    }

    private mutating func answer(_ request: SIPRequest) -> [[UInt8]] {
        // A permissive server does not forward this (RFC 3261 §16.3).
        if request.headers[.maxForwards] == "0" { return [request.response(SIPStatus(483), tag: "server").bytes] }
        switch trick {
        case .challenge: return [forger.response(to: request, .unauthorized).bytes]
        case .proxyChallenge: return [forger.response(to: request, .proxyAuthenticationRequired).bytes]
        case .strongerChallenge:
            guard !request.headers.contains(.proxyAuthorization) else {
                return [forger.response(to: request, .ok).bytes]
            }
            var response = forger.response(to: request, .proxyAuthenticationRequired)
            response.headers[.proxyAuthenticate] = Forger.strongerChallenge
            return [response.bytes]
        case .redirect: return [forger.response(to: request, .movedTemporarily).bytes]
        case .redirectHome:
            var response = forger.response(to: request, .movedTemporarily)
            response.headers[.contact] = "<sip:\(SimulatedPhone.number(0))@\(Proxy.name)>"
            return [response.bytes]
        case .forks:
            forks += Self.waves
            return (forks - Self.waves..<forks).map { Forger(number: $0).response(to: request, .ok).bytes }
        case .refer: return [forger.response(to: request, .ok).bytes]
        case .elsewhere:
            var response = forger.response(to: request, .ok)
            response.headers[.recordRoute] = nil
            response.headers[.contact] = elsewhere
            return [response.bytes]
        case .nonsense:
            var response = forger.response(to: request, .ok)
            response.body = Array(Forger.nonsense.utf8)
            return [response.bytes]
        case .manyFinals:
            return [SIPStatus.busyHere, .ok, .decline].map { forger.response(to: request, $0).bytes }
        }
    }

    private mutating func hear(_ response: SIPResponse) -> [[UInt8]] {
        guard response.status.isFinal, let cSeq = response.headers[.cSeq] else { return [] }
        if cSeq.hasSuffix("INFO") {
            guard response.status.isSuccess else { return [] }
            return nextDigit().map { [$0] } ?? []
        }
        guard cSeq.hasSuffix("INVITE") else { return [] }
        let isFirst = cSeq == "1 INVITE"
        var ack = forger.fresh(.ack)
        for name in [SIPHeaderName.from, .to, .callID] { ack.headers[name] = response.headers[name] }
        ack.headers[.cSeq] = cSeq.replacing("INVITE", with: "ACK")
        ack.headers[.via] = response.status.isSuccess ? via("-ack") : response.headers[.via]
        guard response.status.isSuccess, isFirst, let from = response.headers[.from], let to = response.headers[.to]
        else {
            return [ack.bytes]
        }
        dialog = (from, to)
        guard referrals < 3 else { return [ack.bytes] }
        referrals += 1
        return [ack.bytes] + (inDialog(.refer).map { [$0.bytes] } ?? [])
    }
}
