/// What a client asks of a WebSocket server.
package struct WebSocketOffer: Equatable, Sendable {
    /// The longest query of a server's, in bytes.
    private static let queryLimit = 2_048

    /// The resource as the request names it: a path, and a query if it has one.
    package let path: String
    /// The sub-protocol that both ends are to speak (RFC 6455 §1.9). Nil: the server is asked for none.
    package let subprotocol: String?
    /// The longest message that is accepted, in bytes.
    package let messageLimit: Int
    /// What a server told us to say the next time, behind the path.
    private var query = ""

    /// Whether each message is one of SIP (RFC 7118).
    var carriesSIP: Bool { subprotocol == "sip" }

    /// - Parameters:
    ///   - path: Must satisfy `isPath`.
    ///   - messageLimit: 1 to 4,294,967,295.
    package init(path: String = "/", subprotocol: String?, messageLimit: Int = 65_536) {
        precondition(Self.isPath(path), "not a path")
        (self.path, self.subprotocol, self.messageLimit) = (path, subprotocol, messageLimit)
    }

    /// The resource with everything that is asked behind it.
    package var resource: String { query.isEmpty ? path : path + (path.contains("?") ? "&" : "?") + query }

    /// The same offer with another query. A query that no request can have, or above `queryLimit`, is none.
    package func asking(_ query: String) -> WebSocketOffer {
        var asking = self
        asking.query = query.utf8.count <= Self.queryLimit && Self.isVisible(query) ? query : ""
        return asking
    }

    /// Whether a request can name this resource: it begins with a slash, and has neither space nor a fragment.
    package static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.count <= 256 && isVisible(text)
    }

    private static func isVisible(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
