import JSON
import NIOCore
import NIOHTTP1

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
                + "media-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
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
