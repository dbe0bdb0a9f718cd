import NIOCore

/// Passes on what a connection received in small pieces, as far as a budget has room. Confined to the loop.
///
/// Nothing is read from the socket while pieces wait, so that the far end's bytes wait at the far end. Each `read` from
/// behind the gate is answered by one piece, so that a handler which asks for no more gets no more. Where TLS is in
/// the pipeline there are two gates: one in front of TLS, and one behind it, because one record holds many requests.
public final class TurnGate: ChannelDuplexHandler {
    public typealias InboundIn = ByteBuffer
    public typealias InboundOut = ByteBuffer
    public typealias OutboundIn = NIOAny
    public typealias OutboundOut = NIOAny

    /// What a socket brings.
    public enum Kind: Sendable {
        /// A stream, which may be cut anywhere.
        case stream
        /// Whole messages with their source.
        case datagrams
    }

    private enum Held {
        case bytes(ByteBuffer)
        case datagram(NIOAny)
        case event(Any)
    }

    /// The bytes of a stream in one piece. Some requests fit into it, so that one piece costs little whatever is in it.
    public static let pieceBytes = 1_024
    /// What a socket's one read takes at most.
    public static let readAllocator = FixedSizeRecvByteBufferAllocator(capacity: 8_192)
    /// A connection for which more bytes wait is closed. NIO reads all that the kernel has when the far end ends its
    /// side, whether or not anybody asked for it.
    public static let heldBytesMaximum = 262_144
    /// How much is passed on when the connection ends while bytes wait: a BYE and its neighbours.
    private static let lastPieces = 16

    private let budget: TurnBudget
    private let kind: Kind
    private var held = CircularBuffer<Held>()
    private var heldBytes = 0
    /// Whether handlers behind the gate want more. They have not asked for the first bytes: the channel reads by itself.
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

    /// Each piece ends with a `channelReadComplete` of its own.
    public func channelReadComplete(context: ChannelHandlerContext) {}

    /// An event keeps its place behind the bytes that came before it.
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

    /// Passes the next piece on, and asks for more where the channel reads by itself.
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
        // A channel that does not have this option any more is closed.
        guard !isWanted, (try? context.channel.syncOptions?.getOption(.autoRead)) == true else { return }
        context.channel.pipeline.syncOperations.read()
    }
}
