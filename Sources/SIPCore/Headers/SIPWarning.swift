/// A description of a fault, for people (RFC 3261 §20.43): `370 example.net "Not enough bandwidth"`.
public struct SIPWarning: SIPHeaderValue {
    /// 300 to 399 in SIP; three digits.
    public var code: Int
    /// A host with its port, or a pseudonym for one.
    public var agent: String
    public var message: String

    public init(_ code: Int, agent: String, _ message: String) {
        precondition((100...999).contains(code), "a warning has three digits")
        (self.code, self.agent, self.message) = (code, agent, message)
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.number(maximum: 999))
        code = Int(try scanner.number(upTo: 999))
        guard code >= 100 else { throw start }
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        agent = scanner.text { $0.isParameterValue }
        guard !agent.isEmpty else { throw scanner.error(.host) }
        scanner.skipSpace()
        message = try scanner.quotedString()
    }

    public var text: String { "\(code) \(agent) \(message.onOneLine.quoted)" }
}

extension SIPHeaders {
    public var warnings: [SIPWarning] { get throws(SIPParseError) { try list(.warning) } }
}
