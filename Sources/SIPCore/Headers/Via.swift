import Base

/// One hop of a message's path (RFC 3261 §20.42), with the port that RFC 3581 adds.
public struct Via: SIPHeaderValue {
    /// In upper case: `UDP`, `TCP`, `TLS`, `WS`, `WSS`, or an unknown one.
    public var transport: String
    public var host: String
    public var port: UInt16?
    public var parameters: SIPParameters

    /// The start of every branch that alone identifies its transaction (RFC 3261 §8.1.1.7).
    public static let magicCookie = "z9hG4bK"

    public init(transport: String, host: String, port: UInt16?, branch: String) {
        (self.transport, self.host, self.port, parameters) = (transport, host, port, SIPParameters())
        parameters["branch"] = branch
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let hop = try scanner.skipHop()
        transport = String(
            decoding: scanner.text(in: hop.transport).utf8.map { $0.isLetter ? $0 & 0xDF : $0 }, as: UTF8.self)
        (host, port) = (scanner.text(in: hop.host), hop.port)
        parameters = try scanner.headerParameters()
    }

    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) {
        _ = try scanner.skipHop()
        try scanner.skipHeaderParameters()
    }

    public var branch: String? { parameters["branch"] }
    /// The source address, without the brackets that some servers put around an IPv6 address (RFC 5118 §4.5).
    public var received: String? {
        parameters["received"].map { $0.hasPrefix("[") && $0.hasSuffix("]") ? String($0.dropFirst().dropLast()) : $0 }
    }
    /// The source port that the server saw; nil when absent or only asked for.
    public var rport: UInt16? { parameters["rport"].flatMap { UInt16($0) } }
    /// Whether the sender asks for responses to the source of its request (RFC 3581 §3).
    public var wantsRport: Bool { parameters.contains("rport") }

    public var text: String {
        let sentBy = host.inBrackets + (port.map { ":\($0)" } ?? "")
        return "SIP/2.0/" + transport + " " + sentBy + parameters.text(separator: ";")
    }
}

extension SIPScanner {
    /// `sent-protocol LWS sent-by`
    fileprivate mutating func skipHop() throws(SIPParseError) -> (
        transport: Range<Int>, host: Range<Int>, port: UInt16?
    ) {
        let start = error(.version)
        let name = try skipToken()
        try slash()
        let version = try skipToken()
        guard isEqual(name, ignoringCase: "sip"), isEqual(version, ignoringCase: "2.0") else { throw start }
        try slash()
        let transport = try skipToken()
        skipSpace()
        let host = try skipHost()
        skipSpace()
        return (transport, host, try port())
    }

    /// A slash, with space around it (RFC 3261 §25.1 SLASH).
    fileprivate mutating func slash() throws(SIPParseError) {
        skipSpace()
        try expect(UInt8(ascii: "/"))
        skipSpace()
    }
}
