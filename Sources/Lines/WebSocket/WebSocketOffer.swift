/// A client's request to a WebSocket server.
package struct WebSocketOffer: Equatable, Sendable {
    /// The longest query that a server may give us, in bytes.
    private static let queryLimit = 2_048

    /// The resource in the request: a path, and a query if it has one.
    package let path: String
    /// The sub-protocol that both ends must use (RFC 6455 §1.9). Nil: the request names none.
    package let subprotocol: String?
    /// The longest message that is accepted, in bytes.
    package let messageLimit: Int
    /// The query that a server gave us for the next request, which is appended to the path.
    private var query = ""

    /// Whether each message is a SIP message (RFC 7118).
    var carriesSIP: Bool { subprotocol == "sip" }

    /// - Parameters:
    ///   - path: Must satisfy `isPath`.
    ///   - messageLimit: 1 to 4,294,967,295.
    package init(path: String = "/", subprotocol: String?, messageLimit: Int = 65_536) {
        precondition(Self.isPath(path), "not a path")
        (self.path, self.subprotocol, self.messageLimit) = (path, subprotocol, messageLimit)
    }

    /// The path, with the query appended.
    package var resource: String { query.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + query }

    /// The same offer with another query. An invalid query, or one above `queryLimit`, counts as empty.
    package func asking(_ query: String) -> WebSocketOffer {
        var asking = self
        asking.query = query.utf8.count <= Self.queryLimit && Self.isVisible(query) ? query : ""
        return asking
    }

    /// Whether a request can name this resource. It must begin with a slash, and have no space and no fragment.
    package static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.count <= 256 && isVisible(text)
    }

    private static func isVisible(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
