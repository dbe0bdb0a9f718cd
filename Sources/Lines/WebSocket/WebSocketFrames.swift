import NIOCore

/// Finds the frames of a WebSocket in a stream of bytes (RFC 6455 §5.2).
///
/// A value type. It keeps one frame's header and nothing of its payload.
package struct WebSocketFrameBounds: Sendable {
    private var header: [UInt8] = []
    /// Bytes of the present frame after its header. Nil: its header is not complete.
    private var left: UInt64?
    /// The number of complete frames.
    package private(set) var count = 0

    package init() {}

    /// Whether a frame has begun and is not complete.
    package var isInside: Bool { left != nil || !header.isEmpty }

    /// - Throws: If a length has more bytes than it needs, because two readers could then see different frames.
    package mutating func receive(_ bytes: ByteBufferView) throws(WebSocketFault) {
        var rest = bytes
        while !rest.isEmpty {
            if let payload = left {
                let taken = min(payload, UInt64(rest.count))
                rest = rest.dropFirst(Int(taken))
                finish(payload - taken)
            } else if let byte = rest.first {
                header.append(byte)
                rest = rest.dropFirst()
                if let length = try length { finish(length) }
            }
        }
    }

    private mutating func finish(_ payload: UInt64) {
        header = []
        left = payload > 0 ? payload : nil
        if payload == 0 { count += 1 }
    }

    /// The length of the payload. Nil: the header is not complete.
    private var length: UInt64? {
        get throws(WebSocketFault) {
            guard header.count >= 2 else { return nil }
            let mask = header[1] & 0x80 != 0 ? 4 : 0
            let short = UInt64(header[1] & 0x7F)
            let extended = short == 126 ? 2 : short == 127 ? 8 : 0
            guard header.count == 2 + extended + mask else { return nil }
            guard extended > 0 else { return short }
            let length = header[2..<2 + extended].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard length > (extended == 2 ? 125 : 0xFFFF) else { throw .wrongLength }
            return length
        }
    }
}

/// Watches a server's frames before they are read: the encoding of their lengths, and the time until they are complete.
final class WebSocketFrameWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let time: TimeAmount
    private var bounds = WebSocketFrameBounds()
    private var hasFailed = false
    /// The time limit, and how many frames were complete when it began.
    private var limit: (frame: Int, task: Scheduled<Void>)?

    /// - Parameter time: The time limit from the first byte of a frame to its last.
    init(time: TimeAmount) { self.time = time }

    func handlerRemoved(context: ChannelHandlerContext) { limit?.task.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        do throws(WebSocketFault) {
            try bounds.receive(unwrapInboundIn(data).readableBytesView)
        } catch {
            return fail(error, context)
        }
        watch(context)
        context.fireChannelRead(data)
    }

    private func watch(_ context: ChannelHandlerContext) {
        if let limit, bounds.isInside, limit.frame == bounds.count { return }
        limit?.task.cancel()
        limit = nil
        guard bounds.isInside else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(in: time) {
            let (watch, context) = bound.value
            watch.fail(.slowMessage, context)
        }
        limit = (bounds.count, task)
    }

    private func fail(_ fault: WebSocketFault, _ context: ChannelHandlerContext) {
        hasFailed = true
        context.fireErrorCaught(fault)
    }
}

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
