/// The number and method of a request (RFC 3261 §20.16).
public struct CSeq: SIPHeaderValue {
    /// Less than 2³¹ (RFC 3261 §8.1.1.5).
    public var number: UInt32
    public var method: SIPMethod

    public static let maximum: UInt32 = 1 << 31 - 1

    public init(_ number: UInt32, _ method: SIPMethod) {
        precondition(number <= Self.maximum, "a CSeq is less than 2^31")
        (self.number, self.method) = (number, method)
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        number = UInt32(try scanner.number(upTo: UInt64(Self.maximum)))
        guard let next = scanner.next, next.isSpace else { throw scanner.error(.token) }
        scanner.skipSpace()
        method = SIPMethod(token: try scanner.token())
    }

    public var text: String { "\(number) \(method)" }
}
