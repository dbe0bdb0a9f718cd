import Base
import NIOCore
import NIOWebSocket

/// Assembles messages from a server's frames (RFC 6455 §5).
///
/// A value type without network and clock. Memory: one message of at most the limit. It does not check that a text is
/// UTF-8, although §8.1 requires it. With that check, a caller's invalid text, passed on by the server, would end the
/// line.
package struct WebSocketReader: Sendable {
    package enum Output: Equatable, Sendable {
        case message([UInt8])
        /// A message of this many bytes, which was longer than the limit and was not kept.
        case skipped(Int)
        /// A Ping, to be answered with the same bytes.
        case ping([UInt8])
        case pong
        /// The server ends the connection.
        case close(code: UInt16?, reason: String)
    }

    /// The most frames of one message. Empty fragments cost no memory, but somebody could send them for ever.
    package static let fragmentLimit = 1_024
    /// The longest message that is skipped, in bytes. We do not wait for a server that announces more than any peer
    /// needs. FreeSWITCH accepts messages of a million bytes from its clients, and may pass them on.
    static let skipLimit = 16 << 20
    /// The longest reason that is kept, in bytes. It is the most that fits into a Close frame.
    private static let reasonLimit = 123

    private struct Message {
        /// Empty once the message is longer than the limit.
        var bytes: [UInt8] = []
        var length = 0
        /// The number of its frames.
        var count = 0
    }

    /// The longest message that is accepted, in bytes.
    let limit: Int
    /// A message that is not complete.
    private var begun: Message?
    /// How many bytes were removed from the next frame.
    private var takenOut = 0

    /// - Parameter limit: The longest message, in bytes.
    package init(limit: Int) { self.limit = limit }

    /// Whether a message has begun and is not complete.
    package var isInside: Bool { begun != nil }

    /// Records that this many bytes of the next frame were removed.
    mutating func skip(_ bytes: Int) { takenOut = bytes }

    /// - Returns: Nil for a part of a message that is not complete.
    package mutating func receive(_ frame: WebSocketFrame) throws(WebSocketFault) -> Output? {
        // Only clients mask, and no extension was agreed on.
        guard frame.maskKey == nil else { throw .masked }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { throw .reservedBits }
        let bytes = Array(frame.data.readableBytesView)
        switch frame.opcode {
        case .text, .binary:
            guard begun == nil else { throw .interruptedMessage }
            return try take(bytes, into: Message(), isLast: frame.fin)
        case .continuation:
            guard let begun else { throw .strayFragment }
            return try take(bytes, into: begun, isLast: frame.fin)
        case .ping: return .ping(bytes)
        case .pong: return .pong
        case .connectionClose:
            let code = bytes.count < 2 ? nil : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
            let reason = String(decoding: bytes.dropFirst(2), as: UTF8.self).shown(bytes: Self.reasonLimit)
            return .close(code: code, reason: reason)
        default: throw .unknownOpcode(UInt8(webSocketOpcode: frame.opcode))
        }
    }

    private mutating func take(
        _ bytes: [UInt8], into message: Message, isLast: Bool
    ) throws(WebSocketFault) -> Output? {
        var message = message
        message.count += 1
        message.length += bytes.count + takenOut
        takenOut = 0
        guard message.length <= Self.skipLimit else { throw .tooLong(limit: Self.skipLimit) }
        guard message.count <= Self.fragmentLimit else { throw .tooManyFragments }
        let fits = message.length <= limit
        if fits { message.bytes += bytes } else { message.bytes = [] }
        begun = isLast ? nil : message
        guard isLast else { return nil }
        return fits ? .message(message.bytes) : .skipped(message.length)
    }
}
