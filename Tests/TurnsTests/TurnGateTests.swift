import Base
import NIOCore
import NIOEmbedded
import Testing
import Turns

/// The data that passes a gate, and its times.
@Suite struct TurnGateTests {
    /// The passed data, in order.
    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var heard: [String] = []
        var sizes: [Int] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            sizes.append(buffer.readableBytes)
            heard.append(String(buffer: buffer))
        }
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { heard.append("\(event)") }
        func channelInactive(context: ChannelHandlerContext) { heard.append("end") }
    }

    /// Requests more only on the test's order, like a handler that is busy with a request.
    private final class Patience: ChannelOutboundHandler {
        typealias OutboundIn = NIOAny
        var isOpen = true

        func read(context: ChannelHandlerContext) { if isOpen { context.read() } }
    }

    private let channel: EmbeddedChannel
    private let ear = Ear()
    private let patience = Patience()
    private let budget: TurnBudget

    init() throws {
        channel = EmbeddedChannel()
        budget = TurnBudget(loop: channel.embeddedEventLoop, share: .seconds(60))
        try channel.pipeline.syncOperations.addHandlers([TurnGate(budget), patience, ear])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test func manyBytesComeInSmallPieces() throws {
        try channel.writeInbound(ByteBuffer(repeating: 0x61, count: 5_000))
        #expect(ear.sizes == [1_024, 1_024, 1_024, 1_024, 904])
        #expect(budget.statistics.pieces == 5)
    }

    @Test func withoutReadRequestNothingPasses() throws {
        patience.isOpen = false
        try channel.writeInbound(ByteBuffer(repeating: 0x61, count: 3_000))
        #expect(ear.sizes == [1_024], "the first piece comes unasked")
        channel.pipeline.fireUserInboundEventTriggered("sent all of it")
        patience.isOpen = true
        channel.read()
        #expect(ear.sizes == [1_024, 1_024, 952])
        #expect(ear.heard.last == "sent all of it", "behind the bytes that came before it")
    }

    @Test func lastBytesBeforeCloseArrive() throws {
        patience.isOpen = false
        try channel.writeInbound(ByteBuffer(string: String(repeating: "a", count: 1_024) + "BYE"))
        channel.pipeline.fireChannelInactive()
        #expect(ear.heard.suffix(2) == ["BYE", "end"])
    }

    /// The kernel hands over all its data when the far end closes its side.
    @Test func excessiveSenderIsDropped() throws {
        patience.isOpen = false
        for _ in 0..<5 { try channel.writeInbound(ByteBuffer(repeating: 0x61, count: 65_536)) }
        #expect(!channel.isActive)
        #expect(ear.sizes.reduce(0, +) < 65_536)
    }
}
