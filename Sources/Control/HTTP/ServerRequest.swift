import Base
import JSON
import NIOCore
import NIOHTTP1
import PhoneCore
import Platform

/// A request over HTTP, without its body.
struct ServerRequest {
    let method: HTTPMethod
    /// Compared literally and never decoded, because the interface has only a few paths and serves no folder.
    let path: Substring
    private let query: Substring?
    private let headers: HTTPHeaders
    let keepsAlive: Bool

    init(_ head: HTTPRequestHead) throws(HTTPRefusal) {
        guard head.version.major == 1 else {
            throw HTTPRefusal(.httpVersionNotSupported, "only HTTP/1.1 is supported")
        }
        guard head.uri.hasPrefix("/") else { throw HTTPRefusal(.badRequest, "the target must be a path") }
        // A proxy in front of this phone must interpret the request like the phone (RFC 9112 §6.1).
        guard head.headers["content-length"].count <= 1, head.headers["host"].count <= 1,
            !(head.headers.contains(name: "transfer-encoding") && head.headers.contains(name: "content-length"))
        else { throw HTTPRefusal(.badRequest, "a header appears twice, or two headers contradict each other") }
        guard !head.headers.contains(name: "upgrade") else {
            throw HTTPRefusal(.notImplemented, "upgrades to another protocol are not supported")
        }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (path, query) = (parts[0], parts.count == 2 ? parts[1] : nil)
        (method, headers, keepsAlive) = (head.method, head.headers, head.isKeepAlive)
    }

    /// Nil if the header is missing.
    func header(_ name: String) -> String? { headers.first(name: name) }

    /// A parameter of the query; nil if it is missing.
    func parameter(_ name: String) -> String? {
        for part in query?.split(separator: "&") ?? [] where part.hasPrefix(name + "=") {
            return String(part.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Nil if no length was announced, or it is no number.
    var bodyLength: Int? { header("content-length").flatMap { Int($0) } }

    /// Whether the client waits for permission to send the body (RFC 9110 §10.1.1).
    var waitsForWord: Bool { header("expect")?.lowercased() == "100-continue" }

    /// The token after `Authorization: Bearer` (RFC 6750 §2.1), if any.
    var token: String? {
        guard let words = header("authorization")?.split(separator: " "), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    /// The value of a cookie (RFC 6265 §4.2.1); nil if it is missing.
    func cookie(_ name: String) -> String? {
        for part in header("cookie")?.split(separator: ";") ?? [] {
            let text = part.drop { $0 == " " }
            if text.hasPrefix(name + "=") { return String(text.dropFirst(name.count + 1)) }
        }
        return nil
    }

    var hasJSON: Bool {
        let type = header("content-type")?.prefix { $0 != ";" }.lowercased()
        return type.map { $0.filter { $0 != " " } == "application/json" } ?? false
    }
}

/// The resources of the HTTP server.
enum HTTPRoute: Equatable {
    case rpc, events, metrics
    /// Where a page begins its session.
    case session
    case page(PanelFile)

    init(_ request: ServerRequest, hasMetrics: Bool) throws(HTTPRefusal) {
        switch request.path {
        case "/rpc": self = .rpc
        case "/events": self = .events
        case "/session": self = .session
        case "/metrics" where hasMetrics: self = .metrics
        default:
            guard let file = PanelFile(path: request.path) else {
                throw HTTPRefusal(.notFound, "there is nothing at this path")
            }
            self = .page(file)
        }
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(.methodNotAllowed, "allowed methods: \(allowed)", [("Allow", allowed)])
        }
    }

    private var methods: [HTTPMethod] {
        switch self {
        case .rpc, .session: [.POST]
        case .events: [.GET]
        case .metrics, .page: [.GET, .HEAD]
        }
    }

    /// Whether a request needs a token. The page itself does not; it asks the user for one.
    var needsToken: Bool { if case .page = self { false } else { true } }
}

/// The names and addresses of this phone.
///
/// A hostile page can point its own name to this phone (DNS rebinding). Its requests then look to the browser like
/// those of the same origin. They carry that name, so the phone rejects requests for any other name than its own.
struct OwnHosts {
    private let names: Set<String>

    /// - Parameter names: Names besides `localhost`.
    init(_ names: [String]) { self.names = Set(names.map { $0.lowercased() } + ["localhost"]) }

    /// - Parameters:
    ///   - host: The header `Host`, with or without a port.
    ///   - local: The phone's address of the connection.
    func include(_ host: String, local: TransportAddress?) -> Bool {
        guard let place = HostAndPort(host.lowercased()) else { return false }
        if names.contains(place.host) { return true }
        // A numeric address is no name that somebody could redirect.
        guard let address = IPAddress(place.host) else { return false }
        return address.isLoopback || address == local?.address
    }
}

extension TransportAddress {
    init?(_ address: SocketAddress?) {
        guard let found = unsafe address?.withSockAddr({ address, _ in unsafe TransportAddress(address) }) else {
            return nil
        }
        self = found
    }

    /// The key for counting guesses: an IPv4 address, or the network of an IPv6 address. One host may have that whole
    /// network (RFC 6177 §2).
    var guesser: [UInt8] { Array(address.bytes.prefix(address.isVersion6 ? 8 : 4)) }
}

/// One answer over HTTP.
struct HTTPAnswer {
    let status: HTTPResponseStatus
    /// Additional headers of this answer. They never contain a text of a far end.
    var headers: [(name: String, value: String)] = []
    var body = ByteBuffer()

    init(_ status: HTTPResponseStatus, _ headers: [(name: String, value: String)] = [], body: ByteBuffer = ByteBuffer())
    {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    init(json: JSONValue) {
        self.init(.ok, [("Content-Type", "application/json")], body: ByteBuffer(bytes: json.utf8))
    }

    /// A sentence for people.
    init(_ status: HTTPResponseStatus, _ headers: [(name: String, value: String)] = [], text: String) {
        self.init(
            status, [("Content-Type", "text/plain; charset=utf-8")] + headers, body: ByteBuffer(string: text + "\n"))
    }

    /// The headers of every answer. The page may load only its own parts. No browser may guess a type or frame the
    /// page, and no address of this phone leaks as a referrer.
    static let common: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "media-src 'self' blob:; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'self'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

/// Why a request is rejected. The connection closes afterwards, so that the following bytes are not taken for a
/// request.
struct HTTPRefusal: Error {
    let status: HTTPResponseStatus
    let headers: [(name: String, value: String)]
    /// The reason, for the client and for the log.
    let reason: String

    init(_ status: HTTPResponseStatus, _ reason: String, _ headers: [(name: String, value: String)] = []) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }

    var answer: HTTPAnswer { HTTPAnswer(status, headers, text: reason) }
}
