import NIOCore

/// Passes received bytes on in small pieces, as far as a budget has room. Confined to the loop.
///
/// Nothing is read from the socket while pieces wait, so the far end's bytes stay at the far end. Each `read` from a
/// handler after the gate gets one piece, so a handler that asks for no more gets no more. With TLS in the pipeline
/// there are two gates: one before TLS, and one after it, because one record holds many requests.
public final class TurnGate: ChannelDuplexHandler {
    public typealias InboundIn = ByteBuffer
    public typealias InboundOut = ByteBuffer
    public typealias OutboundIn = NIOAny
    public typealias OutboundOut = NIOAny

    /// The data of a socket.
    public enum Kind: Sendable {
        /// A stream, which may be split anywhere.
        case stream
        /// Whole messages with their source.
        case datagrams
    }

    private enum Held {
        case bytes(ByteBuffer)
        case datagram(NIOAny)
        case event(Any)
    }

    /// The bytes of a stream in one piece. It holds only some requests, so that one piece costs little whatever they
    /// are.
    public static let pieceBytes = 1_024
    /// The most bytes of one read from a socket.
    public static let readAllocator = FixedSizeRecvByteBufferAllocator(capacity: 8_192)
    /// A connection with more waiting bytes is closed. When the far end ends its side, NIO reads everything that the
    /// kernel has, without a request.
    public static let heldBytesMaximum = 262_144
    /// The most pieces that are passed on when the connection ends while bytes wait: a BYE and its neighbours.
    private static let lastPieces = 16

    private let budget: TurnBudget
    private let kind: Kind
    private var held = CircularBuffer<Held>()
    private var heldBytes = 0
    /// Whether handlers after the gate want more. The first bytes need no request, because the channel reads
    /// automatically.
    private var isWanted = true
    /// Whether a piece waits for the budget.
    private var isQueued = false
    private var isPumping = false
    private var isGone = false

    public init(_ budget: TurnBudget, _ kind: Kind = .stream) { (self.budget, self.kind) = (budget, kind) }

    public func handlerRemoved(context: ChannelHandlerContext) {
        (held, heldBytes, isGone) = ([], 0, true)
    }

    public func read(context: ChannelHandlerContext) {
        isWanted = true
        if held.isEmpty { context.read() } else { pump(context) }
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch kind {
        case .datagrams: held.append(.datagram(data))
        case .stream:
            let bytes = unwrapInboundIn(data)
            held.append(.bytes(bytes))
            heldBytes += bytes.readableBytes
            guard heldBytes <= Self.heldBytesMaximum else {
                (held, heldBytes) = ([], 0)
                return context.close(promise: nil)
            }
        }
        pump(context)
    }

    /// Each piece ends with its own `channelReadComplete`.
    public func channelReadComplete(context: ChannelHandlerContext) {}

    /// An event keeps its place after the bytes that came before it.
    public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard !held.isEmpty else { return context.fireUserInboundEventTriggered(event) }
        held.append(.event(event))
        pump(context)
    }

    public func channelInactive(context: ChannelHandlerContext) {
        isPumping = true
        for _ in 0..<Self.lastPieces where !held.isEmpty { pass(context) }
        (held, heldBytes, isGone) = ([], 0, true)
        context.fireChannelInactive()
    }

    private func pump(_ context: ChannelHandlerContext) {
        guard !isPumping else { return }
        isPumping = true
        while !isGone, !isQueued, let next = held.first {
            if case .event = next {
                pass(context)
                continue
            }
            guard isWanted else { break }
            isQueued = true
            budget.run { [self] in
                isQueued = false
                guard !isGone else { return }
                pass(context)
                pump(context)
            }
        }
        isPumping = false
    }

    /// Passes the next piece on, and asks for more if the channel reads automatically.
    private func pass(_ context: ChannelHandlerContext) {
        switch held.removeFirst() {
        case .event(let event): return context.fireUserInboundEventTriggered(event)
        case .datagram(let datagram):
            isWanted = false
            context.fireChannelRead(datagram)
        case .bytes(var bytes):
            isWanted = false
            let piece = bytes.readSlice(length: min(Self.pieceBytes, bytes.readableBytes)) ?? ByteBuffer()
            heldBytes -= piece.readableBytes
            if bytes.readableBytes > 0 { held.prepend(.bytes(bytes)) }
            context.fireChannelRead(wrapInboundOut(piece))
        }
        context.fireChannelReadComplete()
        // A channel without this option is closed.
        guard !isWanted, (try? context.channel.syncOptions?.getOption(.autoRead)) == true else { return }
        context.channel.pipeline.syncOperations.read()
    }
}
