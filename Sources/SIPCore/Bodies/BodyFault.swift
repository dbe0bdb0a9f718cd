/// Why a body that is there cannot be used.
public enum BodyFault: Error, Hashable, Sendable {
    /// Content-Type, Content-Encoding or Content-Disposition.
    case header(SIPParseError)
    case multipart(MultipartError)
    /// The body, or a part of it, is of a type that the reader does not know, and may not be left unread
    /// (RFC 3261 §8.2.3).
    case notUnderstood(String)
    /// The body is packed in a way that the reader does not know.
    case encoded(String)

    /// What a request with it is answered.
    public var status: SIPStatus {
        switch self {
        case .header, .multipart: .badRequest
        case .notUnderstood, .encoded: .unsupportedMediaType
        }
    }
}
