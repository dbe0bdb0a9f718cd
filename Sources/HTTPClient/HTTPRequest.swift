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

extension HTTPRequest {
    private static let longestBody = 256 * 1_024
    private static let longestHeaders = 8 * 1_024

    /// Headers of the client itself or of libcurl. A second one would contradict them.
    private static let reserved: Set = [
        "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
        "cookie", "expect", "host", "if-none-match", "keep-alive", "proxy-authorization", "proxy-connection", "range",
        "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]

    /// Checks everything before a byte is sent.
    /// - Returns: Its address.
    package func checked() throws(HTTPFailure) -> WebAddress {
        let address: WebAddress
        do throws(WebAddress.Fault) { address = try WebAddress(url) } catch { throw .malformed(error.rawValue) }
        guard method == .post || body == nil else { throw .malformed("only a POST may have a body") }
        guard (body?.count ?? 0) <= Self.longestBody else { throw .malformed("the body is too long") }
        guard timeout > .zero else { throw .malformed("the request has no time") }
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isTokenByte), Self.isVisible(header.value),
                !Self.reserved.contains(header.name.lowercased())
            else { throw .malformed("the header \(header.name.shown(bytes: 40)) cannot be sent") }
        }
        let secret = bearer?.reveal() ?? "-"
        guard !secret.isEmpty, Self.isVisible(secret), !secret.contains(" ") else {
            throw .malformed("the token has characters that a header may not have")
        }
        for text in [contentType, etag] {
            guard let text else { continue }
            guard !text.isEmpty, Self.isVisible(text) else { throw .malformed("a header has a wrong character") }
        }
        let bytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard bytes + secret.utf8.count <= Self.longestHeaders else { throw .malformed("the headers are too long") }
        return address
    }

    /// The characters of a header's name (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

/// The time of headers such as `Date` (RFC 9110 §5.6.7, IMF-fixdate). The obsolete forms are not read.
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`. The name of the day is not checked.
    /// - Returns: Seconds since 1970, UTC; nil for every other text.
    public static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], 2), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], 4)
        else { return nil }
        let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], 2), let minute = number(time[1], 2),
            let second = number(time[2], 2), (1...31).contains(day), year >= 1970, hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year, Int64(month), day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, _ digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int64(text)
    }

    /// Days from 1970-01-01 to a date. Years begin in March, so that a leap day is the last day of its year.
    /// - Parameter month: 0 is January.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let fromMarch = (month + 10) % 12
        let year = fromMarch >= 10 ? year - 1 : year
        let leaps = year / 4 - year / 100 + year / 400
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return year * 365 + leaps + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
    }
}
