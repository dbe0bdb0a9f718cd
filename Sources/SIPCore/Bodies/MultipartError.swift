/// Why a body is no multipart body.
public enum MultipartError: Error, Hashable, Sendable {
    /// The type is none of `multipart/…`.
    case notMultipart
    /// There is no boundary, or it is none of RFC 2046 §5.1.1.
    case boundary
    /// Not one part.
    case empty
    /// The last part has no end.
    case unterminated
    case tooLong(limit: Int)
    /// With those inside of others.
    case tooManyParts(limit: Int)
    /// Multipart bodies inside of each other.
    case tooDeep(limit: Int)
    /// The head of a part; the offset counts from the part's first byte.
    case head(part: Int, SIPParseError)
}
