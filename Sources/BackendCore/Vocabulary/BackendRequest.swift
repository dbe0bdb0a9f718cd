import Base

public struct BackendRequestID: Hashable, Codable, Sendable {
    public let rawValue: Int
    public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// One HTTP request.
public struct BackendRequest: Equatable, Sendable {
    public enum Method: String, Sendable { case get = "GET", post = "POST", delete = "DELETE" }

    public enum Body: Equatable, Sendable {
        case empty
        /// `application/json`
        case json(Redacted<[UInt8]>)
        /// `application/x-www-form-urlencoded`
        case form(Redacted<[UInt8]>)

        public var contentType: String? {
            switch self {
            case .empty: nil
            case .json: "application/json"
            case .form: "application/x-www-form-urlencoded"
            }
        }

        public var bytes: Redacted<[UInt8]>? {
            switch self {
            case .empty: nil
            case .json(let bytes), .form(let bytes): bytes
            }
        }
    }

    public var method: Method
    public var url: String
    public var bearer: Redacted<String>?
    public var body = Body.empty
    public var timeout: Duration
    /// For `If-None-Match`.
    public var etag: String?
    /// Whether sending it twice does no harm, so that the adapter may repeat it when a connection breaks.
    public var isRepeatable: Bool

    public init(_ method: Method, _ url: String, timeout: Duration) {
        (self.method, self.url, self.timeout) = (method, url, timeout)
        isRepeatable = method != .post
    }
}

public struct BackendResponse: Equatable, Sendable {
    public var status: Int
    public var body: [UInt8]
    public var etag: String?
    /// The server's wish for the next attempt.
    public var retryAfter: Duration?

    public init(status: Int, body: [UInt8], etag: String? = nil, retryAfter: Duration? = nil) {
        (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
        self.etag = etag.flatMap { $0.utf8.count <= 256 ? $0 : nil }
    }
}

/// Why a request got no answer.
public enum BackendTransportFailure: Equatable, Sendable {
    case timeout
    /// The answer was not HTTP, or too large.
    case unreadable(BackendParseFault.Problem)
    /// Everything else, as a sentence part for people.
    case network(String)

    var failure: BackendFailure {
        switch self {
        case .timeout: .timeout
        case .unreadable(let problem): .parse(BackendParseFault("", problem))
        case .network(let why): .network(why)
        }
    }
}

/// A signature to verify, with the key that the backend publishes.
public struct BackendSignature: Equatable, Sendable {
    public let key: JSONWebKey.Material
    public let algorithm: IDTokenAlgorithm
    /// The signed text: header and claims as the token has them (RFC 7515 §5.2).
    public let signed: [UInt8]
    public let signature: [UInt8]
}

public enum IDTokenAlgorithm: String, Equatable, Codable, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
}
