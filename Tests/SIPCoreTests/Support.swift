import Base
import SIPCore

/// A whole message out of bytes.
func parse(_ bytes: [UInt8]) throws(SIPParseError) -> SIPMessage { try SIPMessage(bytes.span) }

/// A whole message out of lines, as in a text editor.
func parse(lines text: String) throws(SIPParseError) -> SIPMessage { try parse(wire(text)) }

func request(lines text: String) throws -> SIPRequest {
    guard case .request(let request) = try parse(lines: text) else { throw Unexpected() }
    return request
}

func response(lines text: String) throws -> SIPResponse {
    guard case .response(let response) = try parse(lines: text) else { throw Unexpected() }
    return response
}

struct Unexpected: Error {}

/// Line feeds become the line breaks of SIP.
func wire(_ text: String) -> [UInt8] { text.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] } }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension SIPIdentifiers {
    static func seeded(_ seed: UInt64 = 1) -> SIPIdentifiers { SIPIdentifiers(SeededGenerator(seed: seed)) }
}

extension Flow {
    static func test(_ transport: Transport) -> Flow {
        Flow(transport, local: Endpoint("192.0.2.1", 5060), remote: Endpoint("192.0.2.2", 5070))
    }
}

extension SIPRequest {
    /// Our INVITE or another request, with the Via that the layer would give it.
    static func sample(_ method: SIPMethod, via: Bool = true) throws -> SIPRequest {
        var request = SIPRequest(
            method, try URI("sip:bob@example.net"), from: NameAddress(try URI("sip:alice@example.com"), tag: "a1"),
            to: NameAddress(try URI("sip:bob@example.net")), callID: "call-1", sequence: 7)
        if via {
            request.headers.prepend(.via, Via(transport: "UDP", host: "192.0.2.1", port: 5060, branch: "z9hG4bKone"))
        }
        return request
    }
}
