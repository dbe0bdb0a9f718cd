/// Why a body is not a multipart body.
public enum MultipartError: Error, Hashable, Sendable {
    /// The type is not `multipart/…`.
    case notMultipart
    /// There is no boundary, or it does not follow RFC 2046 §5.1.1.
    case boundary
    /// The body has no part.
    case empty
    /// The last part has no end.
    case unterminated
    case tooLong(limit: Int)
    /// The number of parts, nested parts included, is above the limit.
    case tooManyParts(limit: Int)
    /// Multipart bodies are nested too deeply.
    case tooDeep(limit: Int)
    /// The head of a part is malformed; the offset counts from the part's first byte.
    case head(part: Int, SIPParseError)
}
