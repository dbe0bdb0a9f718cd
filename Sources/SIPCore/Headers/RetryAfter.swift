/// When to try again, and how long the peer is reachable then (RFC 3261 §20.33): `120 (in a meeting);duration=3600`.
public struct RetryAfter: SIPHeaderValue {
    /// In seconds.
    public var seconds: UInt32
    /// A remark for people, without brackets and escapes.
    public var comment: String?
    public var parameters = SIPParameters()

    public init(seconds: UInt32) { self.seconds = seconds }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        seconds = try SIPNumber(from: &scanner).value
        scanner.skipSpace()
        if scanner.next == UInt8(ascii: "(") { comment = try scanner.comment() }
        parameters = try scanner.headerParameters()
    }

    /// How many seconds the peer can be reached then.
    public var duration: UInt32? { parameters.seconds("duration") }

    public var text: String {
        let remark = comment.map { " " + $0.inComment } ?? ""
        return "\(seconds)" + remark + parameters.text(separator: ";")
    }
}

extension SIPScanner {
    /// `comment` of RFC 3261 §25.1, without its outer brackets. Inner brackets come in pairs.
    fileprivate mutating func comment() throws(SIPParseError) -> String {
        let start = error(.quotedString)
        try expect(UInt8(ascii: "("))
        var content: [UInt8] = []
        var depth = 1
        while var byte = next {
            _ = skip(byte)
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case .backslash:
                guard let escaped = next, skip(escaped) else { throw start }
                byte = escaped
            default: break
            }
            if depth == 0 { return String(bytes: content[...]) }
            content.append(byte)
        }
        throw start
    }
}

extension String {
    /// The text in brackets. Brackets inside the text are escaped, paired or not.
    fileprivate var inComment: String {
        let marks: [UInt8] = [UInt8(ascii: "("), UInt8(ascii: ")"), .backslash]
        let escaped = onOneLine.utf8.flatMap { marks.contains($0) ? [.backslash, $0] : [$0] }
        return "(" + String(bytes: escaped[...]) + ")"
    }
}

extension SIPHeaders {
    public var retryAfter: RetryAfter? { get throws(SIPParseError) { try first(.retryAfter) } }
}
