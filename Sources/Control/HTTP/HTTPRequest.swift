import NIOHTTP1

/// A request over HTTP, without its body.
struct HTTPRequest {
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

    var hasJSON: Bool {
        let type = header("content-type")?.prefix { $0 != ";" }.lowercased()
        return type.map { $0.filter { $0 != " " } == "application/json" } ?? false
    }
}
