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
}
