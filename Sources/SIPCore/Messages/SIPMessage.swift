/// A request or a response.
public enum SIPMessage: Equatable, Sendable {
    case request(SIPRequest)
    case response(SIPResponse)

    public var headers: SIPHeaders {
        switch self {
        case .request(let request): request.headers
        case .response(let response): response.headers
        }
    }

    public var body: [UInt8] {
        switch self {
        case .request(let request): request.body
        case .response(let response): response.body
        }
    }

    /// The message on the wire. Reading it again gives an equal message.
    public var bytes: [UInt8] {
        switch self {
        case .request(let request): request.bytes
        case .response(let response): response.bytes
        }
    }

    /// Whether bytes may be a SIP message. A message begins with a character of a token, because a method is a token.
    /// Only line breaks may precede it (RFC 3261 §7.5, §25.1). Other bytes need not be parsed.
    public static func mayBegin(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 != 0x0D && $0 != 0x0A }.map { SIPByteSet.token.contains($0) } ?? false
    }
}
