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
