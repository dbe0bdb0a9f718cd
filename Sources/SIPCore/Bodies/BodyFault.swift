/// Why a body cannot be used.
public enum BodyFault: Error, Hashable, Sendable {
    /// Content-Type, Content-Encoding or Content-Disposition is malformed.
    case header(SIPParseError)
    case multipart(MultipartError)
    /// The body, or a part of it, has a type that the reader does not know and may not ignore (RFC 3261 §8.2.3).
    case notUnderstood(String)
    /// The body has a content encoding that the reader does not know.
    case encoded(String)

    /// The status of the response to a request with this fault.
    public var status: SIPStatus {
        switch self {
        case .header, .multipart: .badRequest
        case .notUnderstood, .encoded: .unsupportedMediaType
        }
    }
}
