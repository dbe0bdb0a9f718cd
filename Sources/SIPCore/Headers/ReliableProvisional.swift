/// The number of a reliable provisional response (RFC 3262 §7.1).
public struct RSeq: SIPHeaderValue {
    /// 1 to 2³² - 1; a first one is below 2³¹ (RFC 3262 §3).
    public var number: UInt32

    public init(_ number: UInt32) {
        precondition(number > 0, "an RSeq counts from one")
        self.number = number
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.number(maximum: UInt64(UInt32.max)))
        number = UInt32(try scanner.number(upTo: UInt64(UInt32.max)))
        guard number > 0 else { throw start }
    }

    public var text: String { "\(number)" }
}

/// The reliable response that a PRACK acknowledges: its RSeq, and the CSeq of the request that it answers (RFC 3262
/// §7.2).
public struct RAck: SIPHeaderValue {
    public var response: RSeq
    public var request: CSeq

    public init(_ response: RSeq, of request: CSeq) { (self.response, self.request) = (response, request) }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        response = try RSeq(from: &scanner)
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        request = try CSeq(from: &scanner)
    }

    public var text: String { "\(response.text) \(request.text)" }
}

extension SIPHeaders {
    public var rSeq: RSeq? { get throws(SIPParseError) { try single(.rSeq) } }
    public var rAck: RAck? { get throws(SIPParseError) { try single(.rAck) } }
}
