import Base
import LineCore
import SDPCore
import SIPCore

/// A foreign peer, whose messages the test writes.
struct Stranger {
    let endpoint: Flow.Endpoint
    private let callID: String
    private var sequence: UInt32 = 10

    init(_ endpoint: Flow.Endpoint = .init("203.0.113.9", 5060), callID: String = "stranger-call") {
        self.endpoint = endpoint
        self.callID = callID
    }

    static let body =
        "v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\n"
        + "m=audio 7000 RTP/SAVP 111\r\na=rtpmap:111 opus/48000/2\r\n"
        + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n"

    /// The same as an answer to our offer.
    static let answer = answer(body)

    /// An offer like `body` as an answer to our offer.
    static func answer(_ body: String) -> String {
        body.replacing("SAVP 111", with: "SAVP 96").replacing("rtpmap:111", with: "rtpmap:96")
    }

    /// A request to the line at 192.0.2.1.
    func request(
        _ method: SIPMethod, uri: String = "sip:alice@192.0.2.1", sequence: UInt32 = 10, branch: String = "z9hG4bK-s1",
        toTag: String? = nil, body: String = "", extra: [(SIPHeaderName, String)] = []
    ) -> SIPRequest {
        var request = SIPRequest(method, .sip(SIPURI(user: "alice", host: "192.0.2.1")))
        request.uri = (try? URI(uri)) ?? request.uri
        let via = "SIP/2.0/UDP \(endpoint.host):\(endpoint.port);branch=\(branch);rport"
        request.headers[.via] = via
        request.headers[.maxForwards] = "70"
        request.headers[.from] = "\"Mallory\" <sip:mallory@\(endpoint.host)>;tag=stranger"
        request.headers[.to] = "<sip:alice@192.0.2.1>" + (toTag.map { ";tag=\($0)" } ?? "")
        request.headers[.callID] = callID
        request.headers[.cSeq] = "\(sequence) \(method)"
        request.headers[.contact] = "<sip:mallory@\(endpoint.host):\(endpoint.port)>"
        for (name, value) in extra { request.headers[name] = value }
        if !body.isEmpty {
            if !request.headers.contains(.contentType) { request.headers.set(.contentType, MediaType.sdp) }
            request.body = Array(body.utf8)
        }
        return request
    }

    func invite(asserting identity: String? = nil, body: String = Stranger.body) -> SIPRequest {
        request(.invite, body: body, extra: identity.map { [(.pAssertedIdentity, $0)] } ?? [])
    }

    /// A request of this peer in a dialog that our INVITE opened.
    func request(
        _ method: SIPMethod, in invite: SIPRequest, tag: String, sequence: UInt32, body: String = "",
        extra: [(SIPHeaderName, String)] = []
    ) -> SIPRequest {
        var request = request(
            method, sequence: sequence, branch: "z9hG4bK-\(tag)\(sequence)\(method)", body: body, extra: extra)
        request.headers[.from] = (invite.headers[.to] ?? "") + ";tag=\(tag)"
        request.headers[.to] = invite.headers[.from]
        request.headers[.callID] = invite.headers[.callID]
        return request
    }

    /// A provisional response; with a number it is reliable.
    func progress(
        _ status: SIPStatus = .ringing, to request: SIPRequest, tag: String, number: UInt32? = nil, body: String = ""
    ) -> SIPResponse {
        var response = success(to: request, tag: tag, status, body: body)
        if let number {
            response.headers.set(.require, tokens: ["100rel"])
            response.headers.set(.rSeq, RSeq(number))
        }
        return response
    }

    /// A 2xx of this peer to our INVITE.
    func success(
        to request: SIPRequest, tag: String, _ status: SIPStatus = .ok, body: String = "",
        extra: [(SIPHeaderName, String)] = []
    ) -> SIPResponse {
        var response = request.response(status, tag: tag)
        for (name, value) in extra { response.headers[name] = value }
        response.headers[.contact] = "<sip:\(tag)@\(endpoint.host):\(endpoint.port)>"
        if !body.isEmpty {
            response.headers.set(.contentType, MediaType.sdp)
            response.body = Array(body.utf8)
        }
        return response
    }

    /// A challenge to our request, in the realm of our own server.
    func challenge(_ request: SIPRequest) -> SIPResponse {
        var challenge = request.response(.proxyAuthenticationRequired)
        challenge.headers[.proxyAuthenticate] =
            "Digest realm=\"example\", nonce=\"mine\", algorithm=SHA-256, qop=\"auth\""
        return challenge
    }
}
