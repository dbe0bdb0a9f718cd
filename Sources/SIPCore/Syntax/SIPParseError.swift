/// Why a text is not valid SIP: the kind of fault and its place.
public struct SIPParseError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The message has nothing but line breaks.
        case empty
        case tooLong(limit: Int)
        case tooManyFields(limit: Int)
        /// No blank line ends the head.
        case headUnterminated
        /// A CR or LF without the other one.
        case lineEnd
        case startLine
        case version
        case statusCode
        case fieldName
        case scheme
        case userinfo
        case host
        case uriParameter
        case escape
        case token
        case quotedString
        case number(maximum: UInt64)
        case expected(Unicode.Scalar)
        /// The value ended, and more text follows it.
        case trailing
        case missing
        case repeated
        case bodyTruncated(announced: Int, present: Int)
        /// The methods of CSeq and request line differ.
        case methodMismatch
        /// A URI has headers in a place where they are not allowed (RFC 3261 §19.1.1).
        case headersInURI
    }

    public let kind: Kind
    /// Bytes from the start of the message, or from the start of the header's value when `header` is set.
    public let offset: Int
    public private(set) var header: SIPHeaderName?

    public init(_ kind: Kind, at offset: Int, in header: SIPHeaderName? = nil) {
        (self.kind, self.offset, self.header) = (kind, offset, header)
    }

    func inside(_ header: SIPHeaderName) -> SIPParseError {
        SIPParseError(kind, at: offset, in: self.header ?? header)
    }
}

/// The sizes beyond which input is refused, and the size above which a request leaves UDP. No legitimate message comes
/// near the former.
public enum SIPLimits {
    /// Bytes of a whole message: the size that a UDP datagram can carry.
    public static let message = 65_536
    /// Bytes of one header with its continuation lines.
    public static let line = 8_192
    /// Header lines of a message.
    public static let fields = 256
    /// Bytes of the far end's values that each request of a dialog repeats: its route set, target, address and tag.
    public static let dialog = 8_192
    /// Bytes that all transactions of a layer keep of their messages. Each of them keeps two messages at most.
    public static let transactions = 1_048_576
    /// A request of more bytes than this goes over a stream instead of UDP, if there is one (RFC 3261 §18.1.1).
    public static let datagram = 1_300
}
