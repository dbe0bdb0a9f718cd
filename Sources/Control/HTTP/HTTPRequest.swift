import NIOHTTP1

/// A request over HTTP, without its body.
struct HTTPRequest {
    let method: HTTPMethod
    /// Compared as it is and never decoded: the interface has a few paths of its own and shows no folder.
    let path: Substring
    private let query: Substring?
    private let headers: HTTPHeaders
    let keepsAlive: Bool

    init(_ head: HTTPRequestHead) throws(HTTPRefusal) {
        guard head.version.major == 1 else {
            throw HTTPRefusal(.httpVersionNotSupported, "this is HTTP/1.1")
        }
        guard head.uri.hasPrefix("/") else { throw HTTPRefusal(.badRequest, "the target must be a path") }
        // Whatever is in front of this phone must understand the same as this phone (RFC 9112 §6.1).
        guard head.headers["content-length"].count <= 1, head.headers["host"].count <= 1,
            !(head.headers.contains(name: "transfer-encoding") && head.headers.contains(name: "content-length"))
        else { throw HTTPRefusal(.badRequest, "a header that may stand once stands twice") }
        guard !head.headers.contains(name: "upgrade") else {
            throw HTTPRefusal(.notImplemented, "there is no other protocol here")
        }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (path, query) = (parts[0], parts.count == 2 ? parts[1] : nil)
        (method, headers, keepsAlive) = (head.method, head.headers, head.isKeepAlive)
    }

    /// Nil: it is not there.
    func header(_ name: String) -> String? { headers.first(name: name) }

    /// A parameter behind the path; nil: it is not there.
    func parameter(_ name: String) -> String? {
        for part in query?.split(separator: "&") ?? [] where part.hasPrefix(name + "=") {
            return String(part.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Nil: none was announced, or none that is a number.
    var bodyLength: Int? { header("content-length").flatMap { Int($0) } }

    /// Whether the client waits to be told that the body is wanted (RFC 9110 §10.1.1).
    var waitsForWord: Bool { header("expect")?.lowercased() == "100-continue" }

    /// What stands behind `Authorization: Bearer` (RFC 6750 §2.1). Nil: nothing does.
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
