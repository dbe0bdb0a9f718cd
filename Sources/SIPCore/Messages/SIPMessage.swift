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

    /// Whether bytes may be a message among what else comes to its port: one begins with the first character of a token,
    /// which a method is, behind line breaks at most (RFC 3261 §7.5, §25.1). What does not is not worth a parser.
    public static func mayBegin(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 != 0x0D && $0 != 0x0A }.map { SIPByteSet.token.contains($0) } ?? false
    }
}
