import NIOCore

/// Removes the payload of frames that are too long for a message, so that they cost no memory and do not end the
/// connection. An empty frame takes the place of each such frame, and `Oversized` is reported before it.
///
/// It comes before the decoder, and copies nothing of frames that fit. At most a frame's head waits here.
final class WebSocketFrameSkipper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How many bytes were removed from the frame that follows.
    struct Oversized: Sendable { let bytes: Int }

    private enum State {
        /// The bytes so far of a head that is not complete.
        case head([UInt8])
        /// The payload of a frame that fits, or that the decoder will reject.
        case passing(left: Int)
        case skipping(left: Int)
        /// The decoder rejects the announced frame. From here on, everything passes unchecked.
        case refused
    }

    private let limit: Int
    private var state = State.head([])

    /// - Parameter limit: The longest payload that is passed on, in bytes.
    init(limit: Int) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        var passed = context.channel.allocator.buffer(capacity: 0)
        while buffer.readableBytes > 0 {
            switch state {
            case .refused: pass(buffer.readableBytes, of: &buffer, to: &passed)
            case .passing(let left):
                let count = min(left, buffer.readableBytes)
                pass(count, of: &buffer, to: &passed)
                state = left > count ? .passing(left: left - count) : .head([])
            case .skipping(let left):
                let count = min(left, buffer.readableBytes)
                buffer.moveReaderIndex(forwardBy: count)
                state = left > count ? .skipping(left: left - count) : .head([])
            case .head(var head):
                guard let byte = buffer.readInteger(as: UInt8.self) else { break }
                head.append(byte)
                guard head.count == FrameHead.length(head) else {
                    state = .head(head)
                    continue
                }
                take(head, to: &passed, context)
            }
        }
        if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
    }

    private func pass(_ count: Int, of buffer: inout ByteBuffer, to passed: inout ByteBuffer) {
        if var slice = buffer.readSlice(length: count) { passed.writeBuffer(&slice) }
    }

    private func take(_ head: [UInt8], to passed: inout ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = FrameHead(head)
        guard let length = frame.length, length <= WebSocketReader.skipLimit else {
            passed.writeBytes(head)
            state = .refused
            return
        }
        guard length > limit, !frame.isControl, !frame.isMasked else {
            passed.writeBytes(head)
            let left = length + (frame.isMasked ? 4 : 0)
            state = left > 0 ? .passing(left: left) : .head([])
            return
        }
        // The bytes before the frame must be read before the frame is reported.
        if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
        context.fireUserInboundEventTriggered(Oversized(bytes: length))
        passed = context.channel.allocator.buffer(bytes: [head[0], 0])
        state = .skipping(left: length)
    }
}

/// The first bytes of a frame, up to its length (RFC 6455 §5.2).
private struct FrameHead {
    let isControl: Bool
    let isMasked: Bool
    /// Nil: too large for an Int.
    let length: Int?

    init(_ bytes: [UInt8]) {
        isControl = bytes[0] & 0x08 != 0
        isMasked = bytes[1] & 0x80 != 0
        let announced =
            bytes.count == 2
            ? UInt64(bytes[1] & 0x7F) : bytes.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        length = Int(exactly: announced)
    }

    /// The length of a head that begins with these bytes. Nil: it is not known yet.
    static func length(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        switch bytes[1] & 0x7F {
        case 126: return 4
        case 127: return 10
        default: return 2
        }
    }
}
