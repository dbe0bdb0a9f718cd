/// Why some text is not SIP: what is wrong, and where.
public struct SIPParseError: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Nothing but line breaks.
        case empty
        case tooLong(limit: Int)
        case tooManyFields(limit: Int)
        /// No blank line ends the head.
        case headUnterminated
        /// A CR or LF stands alone.
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
        /// The value ended, and something follows it.
        case trailing
        case missing
        case repeated
        case bodyTruncated(announced: Int, present: Int)
        /// The methods of CSeq and request line differ.
        case methodMismatch
        /// A URI in a place where its header part is not allowed (RFC 3261 §19.1.1).
        case headersInURI
    }

    public let kind: Kind
    /// Bytes from the start of the message, or of the header's value where `header` is named.
    public let offset: Int
    public private(set) var header: SIPHeaderName?

    public init(_ kind: Kind, at offset: Int, in header: SIPHeaderName? = nil) {
        (self.kind, self.offset, self.header) = (kind, offset, header)
    }

    func inside(_ header: SIPHeaderName) -> SIPParseError {
        SIPParseError(kind, at: offset, in: self.header ?? header)
    }
}
