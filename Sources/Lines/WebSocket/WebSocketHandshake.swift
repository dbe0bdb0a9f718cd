import Base
import Cryptography

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
        guard let end = answer[searched...].firstRange(of: Self.end) else {
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
