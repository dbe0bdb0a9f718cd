import Base

/// One request to a server, which may take several attempts.
public struct HTTPRequest: Sendable, Equatable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    public struct Header: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    public var method: Method
    /// `https://host[:port]/path`. `http` is allowed only to this machine: `localhost`, 127.0.0.0/8 and `[::1]`.
    public var url: String
    /// Additional headers, without secrets. Names that the client sets itself make the request malformed.
    public var headers: [Header]
    /// The token of `Authorization: Bearer` (RFC 6750 §2.1).
    public var bearer: Redacted<String>?
    public var body: [UInt8]?
    /// The type of `body`. Without a body it is not sent.
    public var contentType: String?
    /// The time for the whole request, with all attempts and redirects.
    public var timeout: Duration
    /// The tag of the version that the caller has. The server may answer 304 without a body (RFC 9110 §13.1.2).
    public var etag: String?
    /// Whether sending it twice does no harm (RFC 9110 §9.2.2). Only then it is repeated after a failure.
    public var isRepeatable: Bool

    /// - Parameter isRepeatable: Nil: as its method says, so only POST is not.
    public init(
        _ method: Method, _ url: String, headers: [Header] = [], bearer: Redacted<String>? = nil,
        body: [UInt8]? = nil, contentType: String? = nil, timeout: Duration = .seconds(15), etag: String? = nil,
        isRepeatable: Bool? = nil
    ) {
        (self.method, self.url, self.headers, self.bearer) = (method, url, headers, bearer)
        (self.body, self.contentType, self.timeout, self.etag) = (body, contentType, timeout, etag)
        self.isRepeatable = isRepeatable ?? (method != .post)
    }
}

/// What the server answered. Every status is an answer, and none is a failure.
public struct HTTPResponse: Sendable, Equatable {
    public var status: Int
    /// Decompressed. Empty for 304.
    public var body: [UInt8]
    public var etag: String?
    /// How long the server asks the client to wait (RFC 9110 §10.2.3), at most a day.
    public var retryAfter: Duration?
    public var contentType: String?
    /// The server's time, as its header `Date` gives it.
    public var date: String?

    public init(
        status: Int, body: [UInt8] = [], etag: String? = nil, retryAfter: Duration? = nil, contentType: String? = nil,
        date: String? = nil
    ) {
        (self.status, self.body, self.etag) = (status, body, etag)
        (self.retryAfter, self.contentType, self.date) = (retryAfter, contentType, date)
    }
}

/// Why there is no answer. The texts are for people and have no secrets.
public enum HTTPFailure: Error, Equatable, Sendable {
    /// libcurl cannot be used.
    case unavailable(String)
    /// No connection, or one that ended before the whole answer came.
    case network(String)
    /// The name has no address.
    case resolve(String)
    /// The server did not prove its identity, or does not speak TLS 1.2 or later.
    case tls(String)
    /// The request took longer than its `timeout`.
    case timeout
    /// The answer is larger than `HTTPClientSettings.maximumBody`, or its head than 32 kB.
    case tooLarge
    /// The server redirects to where the client does not follow.
    case redirect(String)
    /// The request cannot be sent as it is, or the answer is not HTTP.
    case malformed(String)
    /// By `HTTPClient.cancel` or `close`.
    case cancelled
    /// Too many requests wait already.
    case overloaded
}

/// Names a request that was sent.
public struct HTTPTicket: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }
}

/// Bodies may hold tokens and passwords, so only their sizes are shown.
extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(method.rawValue) \(url), \(body?.count ?? 0) bytes" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "status \(status), \(body.count) bytes" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable(let why), .network(let why), .resolve(let why), .tls(let why), .redirect(let why),
            .malformed(let why):
            why
        case .timeout: "the server did not answer in time"
        case .tooLarge: "the answer is too large"
        case .cancelled: "the request was cancelled"
        case .overloaded: "too many requests wait already"
        }
    }
}
