/// What a client asks of a WebSocket server.
package struct WebSocketOffer: Equatable, Sendable {
    /// The resource as the request names it: a path, and a query if it has one.
    package let path: String
    /// The sub-protocol that both ends are to speak (RFC 6455 §1.9). Nil: the server is asked for none.
    package let subprotocol: String?
    /// The longest message that is accepted, in bytes.
    package let messageLimit: Int

    /// Whether each message is one of SIP (RFC 7118).
    var carriesSIP: Bool { subprotocol == "sip" }

    /// - Parameters:
    ///   - path: Must satisfy `isPath`.
    ///   - messageLimit: 1 to 4,294,967,295.
    package init(path: String = "/", subprotocol: String?, messageLimit: Int = 65_536) {
        precondition(Self.isPath(path), "not a path")
        (self.path, self.subprotocol, self.messageLimit) = (path, subprotocol, messageLimit)
    }

    /// Whether a request can name this resource: it begins with a slash, and has neither space nor a fragment.
    package static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.count <= 256
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
