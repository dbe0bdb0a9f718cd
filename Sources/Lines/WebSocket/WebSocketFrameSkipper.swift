import NIOCore

/// Takes the payload out of frames that are longer than a message may be, so that they cost no memory and do not end the
/// connection. What is left is an empty frame; `Oversized` is reported before it.
///
/// It stands before the decoder, and copies nothing of frames that fit. At most a frame's head waits here.
final class WebSocketFrameSkipper: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// So many bytes were taken out of the frame that follows.
    struct Oversized: Sendable { let bytes: Int }

    private enum State {
        /// A head begins or goes on: the bytes of it that came.
        case head([UInt8])
        /// The payload of a frame that fits, or that the decoder is to refuse.
        case passing(left: Int)
        case skipping(left: Int)
        /// The decoder refuses what was announced. Nothing is looked at any more.
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
        // What came before the frame is read before it is reported.
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
    /// Nil: more than any machine has.
    let length: Int?

    init(_ bytes: [UInt8]) {
        isControl = bytes[0] & 0x08 != 0
        isMasked = bytes[1] & 0x80 != 0
        let announced =
            bytes.count == 2
            ? UInt64(bytes[1] & 0x7F) : bytes.dropFirst(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        length = Int(exactly: announced)
    }

    /// How long the head is that begins so. Nil: that is not known yet.
    static func length(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        switch bytes[1] & 0x7F {
        case 126: return 4
        case 127: return 10
        default: return 2
        }
    }
}
