import Base

/// Sends OPTIONS to a server or phone on loopback, or to a user there.
public final class Inquiry {
    /// An unknown sender gets no more bytes than it sent.
    private static let agent = String(repeating: "inquiry ", count: 32)

    private let peer: DatagramPeer
    private let port: UInt16

    public init(port: UInt16) throws {
        peer = try DatagramPeer()
        self.port = port
    }

    /// The status of the answer; nil if none came in time.
    public func status(of address: String, upTo limit: Duration) -> Int? {
        let end = MonotonicTime.now + limit
        let branch = "z9hG4bK\(UInt64.random(in: .min ... .max))"
        let request = """
            OPTIONS sip:\(address) SIP/2.0\r
            Via: SIP/2.0/UDP 127.0.0.1;rport;branch=\(branch)\r
            Max-Forwards: 5\r
            From: <sip:test@127.0.0.1>;tag=\(branch)\r
            To: <sip:\(address)>\r
            Call-ID: \(branch)\r
            CSeq: 1 OPTIONS\r
            User-Agent: \(Self.agent)\r
            Content-Length: 0\r
            \r\n
            """
        // A port that is not open yet gives no answer: then the request is repeated.
        while MonotonicTime.now < end {
            guard (try? peer.say(Array(request.utf8), to: port)) != nil else { return nil }
            let text = peer.hear(upTo: .milliseconds(50)).map { String(decoding: $0, as: UTF8.self) }
            if let text, text.contains(branch) {
                return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }
        }
        return nil
    }
}
