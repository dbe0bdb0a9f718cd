import Bench
import SIPCore

/// A caller whose messages a test writes.
public struct ScriptedCaller {
    /// The address that it announces.
    public let endpoint: Flow.Endpoint
    private let transport: Flow.Transport
    private let callID: String

    public init(at endpoint: Flow.Endpoint, _ transport: Flow.Transport = .udp, callID: String = "scripted") {
        (self.endpoint, self.transport, self.callID) = (endpoint, transport, callID)
    }

    public init(at peer: DatagramPeer, callID: String = "scripted") {
        self.init(at: .init(peer.host, peer.port), callID: callID)
    }

    /// A request, in the call if it has the phone's tag.
    /// - Parameter branch: The transaction: an ACK of a 2xx has its own, a CANCEL that of its INVITE.
    public func request(
        _ method: SIPMethod, sequence: UInt32 = 1, branch: String? = nil, toTag: String? = nil, body: String = "",
        extra: [(SIPHeaderName, String)] = []
    ) -> SIPRequest {
        let address = SIPURI(user: "mallory", host: endpoint.host, port: endpoint.port)
        let callee = URI.sip(SIPURI(user: "alice", host: "127.0.0.1"))
        var request = SIPRequest(
            method, callee, from: NameAddress(.sip(address), tag: "scripted"), to: NameAddress(callee, tag: toTag),
            callID: callID, sequence: sequence)
        let name = branch ?? "\(method)-\(sequence)"
        request.headers[.via] =
            "SIP/2.0/\(transport.name) \(endpoint.host):\(endpoint.port);branch=z9hG4bK-\(callID)-\(name);rport"
        request.headers[.contact] = "<\(URI.sip(address).text);transport=\(transport.rawValue)>"
        if !body.isEmpty { request.headers[.contentType] = "application/sdp" }
        for (name, value) in extra { request.headers[name] = value }
        request.body = Array(body.utf8)
        return request
    }

    /// Offers or answers PCMU, with its own SRTP key, and all its packets to one address.
    public static func session(at host: String, _ port: UInt16, version: Int = 1) -> String {
        "v=0\r\no=- 7 \(version) IN IP4 \(host)\r\ns=-\r\nc=IN IP4 \(host)\r\nt=0 0\r\n"
            + "m=audio \(port) RTP/SAVP 0\r\na=rtcp-mux\r\n"
            + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n"
    }
}
