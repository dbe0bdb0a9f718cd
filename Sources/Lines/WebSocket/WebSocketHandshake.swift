import Base
import Cryptography
import NIOCore
import SIPCore

/// The opening handshake of a client, up to the server's answer (RFC 6455 §4.1).
///
/// A value type without network: send `request`, and pass the answer to `receive`. Memory: at most `answerLimit` bytes,
/// and those of one `receive`.
package struct WebSocketHandshake: Sendable {
    /// The longest answer that is accepted, in bytes. Servers send some hundred.
    package static let answerLimit = 8_192
    /// The suffix that the server appends to the key of a request before it hashes both (RFC 6455 §1.3).
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private static let version = Array("HTTP/1.1 ".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    package let request: [UInt8]
    private let offer: WebSocketOffer
    private let accept: String
    private var answer: [UInt8] = []

    /// - Parameters:
    ///   - authority: The server's host, with its port if that is unusual, as in a URI.
    ///   - nonce: 16 bytes, drawn at random for this connection.
    package init(_ offer: WebSocketOffer, authority: String, nonce: [UInt8]) {
        precondition(nonce.count == 16, "the nonce of a WebSocket has 16 bytes")
        self.offer = offer
        let key = nonce.base64
        accept = Digest.sha1(Array((key + Self.suffix).utf8)).base64
        let lines =
            [
                "GET \(offer.resource) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
            ] + (offer.subprotocol.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? [])
        request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// - Returns: The bytes after the answer, once the WebSocket is open. Nil while the answer is not complete.
    package mutating func receive(_ bytes: [UInt8]) throws(WebSocketFault) -> [UInt8]? {
        let searched = max(0, answer.count - Self.end.count + 1)
        answer += bytes
        // A far end that does not speak HTTP may never end a line.
        guard answer.starts(with: Self.version.prefix(answer.count)) else { throw .notHTTP }
        guard let end = answer[searched...].place(of: Self.end) else {
            guard answer.count <= Self.answerLimit else { throw .answerTooLong }
            return nil
        }
        guard end.upperBound <= Self.answerLimit else { throw .answerTooLong }
        try check(answer[..<end.lowerBound])
        return Array(answer[end.upperBound...])
    }

    private func check(_ head: ArraySlice<UInt8>) throws(WebSocketFault) {
        let lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        let status = lines[0].dropFirst(Self.version.count).split(separator: " ", maxSplits: 1)
        guard let digits = status.first, digits.utf8.count == 3, let code = Int(digits), code >= 100 else {
            throw .notHTTP
        }
        guard code == 101 else { throw .refused(code, status.count > 1 ? String(status[1]).shown(bytes: 64) : "") }
        let fields = try fields(lines.dropFirst())
        guard fields.lists("upgrade", "websocket"), fields.lists("connection", "upgrade") else { throw .noUpgrade }
        guard fields["sec-websocket-accept"] == [accept] else { throw .wrongAccept }
        guard fields["sec-websocket-extensions", default: []].allSatisfy(\.isEmpty) else { throw .unwantedExtension }
        let chosen = fields["sec-websocket-protocol"]
        guard chosen == offer.subprotocol.map({ [$0] }) else {
            throw .otherSubprotocol(chosen?.first?.shown(bytes: 64))
        }
    }

    /// The values of the headers, by their names in lower case.
    private func fields(_ lines: ArraySlice<String>) throws(WebSocketFault) -> [String: [String]] {
        var fields: [String: [String]] = [:]
        for line in lines {
            let bytes = line.utf8
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { throw .notHTTP }
            let value = bytes[bytes.index(after: colon)...].drop(while: \.isBlank)
            let trimmed = value.prefix(value.count - value.reversed().prefix(while: \.isBlank).count)
            fields[line[..<colon].lowercased(), default: []].append(String(Substring(trimmed)))
        }
        return fields
    }
}

extension [UInt8] {
    /// RFC 4648 §4, padded.
    fileprivate var base64: String {
        let alphabet = Array<UInt8>("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let digits = stride(from: 0, to: count, by: 3).flatMap { start -> [UInt8] in
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            return (0..<4).map { $0 <= group.count ? alphabet[bits >> (18 - 6 * $0) & 0x3F] : UInt8(ascii: "=") }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension [String: [String]] {
    /// Whether a header that is a list has this element, without regard to case.
    fileprivate func lists(_ name: String, _ element: String) -> Bool {
        self[name, default: []].contains { value in
            value.split(separator: ",").contains {
                $0.lowercased().split(separator: " ").joined(separator: " ") == element
            }
        }
    }
}

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

/// Requests a WebSocket from a server, and adds the WebSocket's handlers to the pipeline when the server agrees.
///
/// It comes after TLS, and is added when the far end has proved its identity. It reports the end of the handshake by
/// `WebSocketHandler.Opened`, and a refusal by a `WebSocketFault`. The code that adds it limits the time.
package final class WebSocketUpgrade: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    private let offer: WebSocketOffer
    private let times: WebSocketHandler.TimeLimits
    private var handshake: WebSocketHandshake
    private var isOver = false

    /// - Parameter authority: The server's host, with its port if it is not the usual one, as in a URI.
    package init(_ offer: WebSocketOffer, authority: String, times: WebSocketHandler.TimeLimits = .init()) {
        (self.offer, self.times) = (offer, times)
        handshake = WebSocketHandshake(
            offer, authority: authority, nonce: (0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(
            wrapOutboundOut(context.channel.allocator.buffer(bytes: handshake.request)), promise: nil)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do {
            let answer = Array(unwrapInboundIn(data).readableBytesView)
            guard let rest = try handshake.receive(answer) else { return }
            isOver = true
            try open(context, rest)
        } catch {
            isOver = true
            context.fireErrorCaught(error)
        }
    }

    private func open(_ context: ChannelHandlerContext, _ rest: [UInt8]) throws {
        let pipeline = context.pipeline.syncOperations
        try pipeline.addHandlers(WebSocketHandler.pipeline(offer, times), position: .after(self))
        context.fireUserInboundEventTriggered(WebSocketHandler.Opened())
        if !rest.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: rest))) }
        pipeline.removeHandler(context: context, promise: nil)
    }
}

extension Flow {
    /// The server's name in a request for a WebSocket: the host, and the port if it is not the usual one.
    func authority(_ name: String?) -> String {
        let host = (name ?? remote.host).prefix { $0 != "%" }
        return host.inBrackets + (remote.port == transport.defaultPort ? "" : ":\(remote.port)")
    }
}
