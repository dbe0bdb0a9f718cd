import Base
import SIPCore

/// Writes messages that imitate messages seen on the way.
struct Forger: Sendable {
    static let methods: [SIPMethod] = [
        .invite, .bye, .update, .info, .refer, .message, .notify, .cancel, .ack, .prack, .options,
    ]
    static let statuses = [180, 183, 200, 302, 401, 407, 486, 603].map { SIPStatus($0) }

    /// No two forgeries are alike.
    let number: Int

    /// A session that sends voice to the enemy.
    static let session =
        "v=0\r\no=- 66 66 IN IP4 198.51.100.66\r\ns=-\r\nc=IN IP4 198.51.100.66\r\nt=0 0\r\n"
        + "m=audio 7000 RTP/SAVP 96\r\na=rtpmap:96 opus/48000/2\r\n"
        + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n"

    /// An unreadable session.
    static let nonsense = "v=0\r\no=- 66\r\nm=audio 70000 RTP/SAVP x\r\nc=IN IP7 nowhere\r\n"

    /// The server stays on the way of every call.
    static let route = "<sip:\(Proxy.endpoint.host):\(Proxy.endpoint.port);lr>"

    /// A challenge that is weaker than any real server's here.
    static let challenge = "Digest realm=\"example\", nonce=\"\(Enemy.nonce)\", algorithm=MD5"

    /// A challenge that is stronger than the real server's: a phone that trusts it rejects the server from then on.
    static let strongerChallenge =
        "Digest realm=\"example\", nonce=\"\(Enemy.nonce)-strong\", algorithm=SHA-256, qop=\"auth\""

    /// A request outside any dialog.
    func fresh(_ method: SIPMethod) -> SIPRequest {
        var request = SIPRequest(
            method, .sip(SIPURI(user: "101", host: "192.0.2.1")),
            from: NameAddress(.sip(SIPURI(user: "100", host: Proxy.name)), displayName: "Reception", tag: "enemy"),
            to: NameAddress(.sip(SIPURI(user: "101", host: Proxy.name))), callID: "forged-\(number)", sequence: 1)
        complete(&request)
        return request
    }

    /// A request in the dialog of an observed message.
    /// - Parameter isPhones: The message is the phone's own, so the forgery goes the other way.
    func inDialog(_ method: SIPMethod, like message: SIPMessage, isPhones: Bool) -> SIPRequest? {
        let headers = message.headers
        let isRequest = if case .request = message { true } else { false }
        // From names the sender of the request, in its response, too.
        let isFromPhone = isPhones == isRequest
        guard let from = headers[isFromPhone ? .to : .from], let to = headers[isFromPhone ? .from : .to],
            let callID = headers[.callID]
        else { return nil }
        var request = fresh(method)
        request.headers[.from] = from
        request.headers[.to] = to
        request.headers[.callID] = callID
        let isSame = method == .cancel || method == .ack
        let sequence = headers[.cSeq].flatMap { Int($0.prefix { $0 != " " }) } ?? 1
        request.headers[.cSeq] = "\(isSame ? sequence : sequence + 40 + number) \(method)"
        if isSame, !isPhones, let via = headers[.via] { request.headers[.via] = via }
        return request
    }

    /// A response to a request of the phone.
    func response(to request: SIPRequest, _ status: SIPStatus) -> SIPResponse {
        var response = request.response(status, tag: "enemy-\(number)")
        response.headers[.contact] = "<sip:\(Enemy.premium)@\(Enemy.endpoint.host)>"
        switch status.code {
        case 401: response.headers[.wwwAuthenticate] = Self.challenge
        case 407: response.headers[.proxyAuthenticate] = Self.challenge
        case 183, 200:
            guard request.method == .invite else { break }
            response.headers[.recordRoute] = Self.route
            response.headers.set(.contentType, MediaType.sdp)
            response.body = Array(Self.session.utf8)
        default: break
        }
        return response
    }

    private func complete(_ request: inout SIPRequest) {
        let host = Enemy.endpoint
        request.headers[.via] = "SIP/2.0/UDP \(host.host):\(host.port);branch=z9hG4bK-enemy\(number);rport"
        request.headers[.contact] = "<sip:100@\(host.host):\(host.port)>"
        request.headers[.pAssertedIdentity] = "<sip:100@\(Proxy.name)>"
        request.headers[SIPHeaderName("Answer-Mode")] = "Auto"
        switch request.method {
        case .refer: request.headers[.referTo] = "<sip:\(Enemy.premium)@\(Proxy.name)>"
        case .info:
            request.headers[.contentType] = "application/dtmf-relay"
            request.body = Array("Signal=5\r\nDuration=100\r\n".utf8)
        case .notify:
            request.headers[.event] = "message-summary"
            request.headers[.contentType] = "application/simple-message-summary"
            request.body = Array("Messages-Waiting: yes\r\nVoice-Message: 66/0\r\n".utf8)
        case .message:
            request.headers[.contentType] = "text/plain"
            request.body = Array("obey".utf8)
        case .invite, .update, .prack:
            request.headers[.recordRoute] = Self.route
            request.headers.set(.contentType, MediaType.sdp)
            request.body = Array(Self.session.utf8)
        default: break
        }
    }
}
