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
