import Cryptography
import Foundation

/// Bytes of a WebSocket server, valid and invalid, and a client's frames.
enum WebSocketBytes {
    /// A frame of a server.
    /// - Parameters:
    ///   - first: FIN, the reserved bits and the opcode.
    ///   - count: The length that the frame announces; nil: that of the bytes.
    static func frame(_ first: UInt8, _ bytes: [UInt8], count: Int? = nil, masked: Bool = false) -> [UInt8] {
        let count = count ?? bytes.count
        let length: [UInt8] =
            switch count {
            case ..<126: [UInt8(count)]
            case ..<65_536: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
            }
        let mask: [UInt8] = masked ? [1, 2, 3, 4] : []
        let body = masked ? bytes.enumerated().map { $1 ^ mask[$0 % 4] } : bytes
        return [first, length[0] | (masked ? 0x80 : 0)] + length.dropFirst() + mask + body
    }

    static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

    struct Frame: Equatable {
        let first: UInt8
        let bytes: [UInt8]
        let isMasked: Bool
    }

    /// A client's frames, as far as they are complete.
    static func frames(_ bytes: [UInt8]) -> [Frame] {
        var (rest, frames) = (bytes[...], [Frame]())
        while rest.count >= 2, let first = rest.popFirst(), let second = rest.popFirst() {
            var count = Int(second & 0x7F)
            let wide = count == 126 ? 2 : count == 127 ? 8 : 0
            if wide > 0 {
                count = rest.prefix(wide).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(wide)
            }
            let mask = Array(rest.prefix(second & 0x80 != 0 ? 4 : 0))
            rest = rest.dropFirst(mask.count)
            let body = rest.prefix(count).enumerated().map { mask.isEmpty ? $1 : $1 ^ mask[$0 % 4] }
            rest = rest.dropFirst(count)
            frames.append(Frame(first: first, bytes: body, isMasked: !mask.isEmpty))
        }
        return frames
    }

    /// The server's response to the request with this key.
    static func answer(
        _ key: String, status: String = "101 Switching Protocols", accept: (String) -> String = WebSocketBytes.accept,
        protocols: [String] = ["sip"], more: [String] = [], without: String? = nil
    ) -> [UInt8] {
        let lines =
            ["HTTP/1.1 \(status)", "Upgrade: WebSocket", "Connection: keep-alive, Upgrade"]
            + ["Sec-WebSocket-Accept: \(accept(key))"] + protocols.map { "Sec-WebSocket-Protocol: \($0)" } + more
        let kept = lines.filter { line in without.map { !line.hasPrefix($0) } ?? true }
        return Array((kept.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    static func accept(_ key: String) -> String {
        base64(Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    /// The value of a header of a request.
    static func field(_ name: String, in request: String) -> String? {
        request.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }.description }
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
