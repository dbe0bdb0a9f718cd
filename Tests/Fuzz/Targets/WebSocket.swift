import Base
import Lines
import NIOCore
import NIOEmbedded

/// A WebSocket server: a response to the request if the first byte chooses it, and its data once open, in pieces.
func fuzzWebSocket(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    if kind == UInt8(ascii: "H") { return fuzzAnswer(bytes) }
    let client = FuzzedClient()
    let step = 1 + Int(kind)
    for (place, start) in stride(from: 0, to: bytes.count, by: step).enumerated() {
        client.hear(Array(bytes[start..<min(start + step, bytes.count)]))
        if place % 8 == 7 { client.speak() }
    }
    client.endure()
}

/// However a response is split, it is the same response.
private func fuzzAnswer(_ bytes: [UInt8]) {
    func outcome(_ step: Int) -> Result<[UInt8]?, WebSocketFault> {
        var handshake = WebSocketHandshake(
            WebSocketOffer(subprotocol: "sip"), authority: "pbx.example", nonce: Array("the sample nonce".utf8))
        var rest: [UInt8]?
        for start in stride(from: 0, to: bytes.count, by: step) {
            let piece = Array(bytes[start..<min(start + step, bytes.count)])
            if let opened = rest {
                rest = opened + piece
                continue
            }
            do throws(WebSocketFault) { rest = try handshake.receive(piece) } catch { return .failure(error) }
        }
        return .success(rest)
    }
    let (whole, cut) = (outcome(max(1, bytes.count)), outcome(7))
    switch (whole, cut) {
    case (.success(let whole), .success(let cut)): precondition(whole == cut, "another rest")
    case (.failure(let whole), .failure(let cut)):
        precondition(whole == cut || bytes.count > WebSocketHandshake.answerLimit, "another fault")
    // Too long data may be rejected before its end.
    case (.success, .failure), (.failure, .success):
        precondition(bytes.count > WebSocketHandshake.answerLimit, "opened and not opened")
    }
}

/// A client with an open WebSocket, and its received data.
private final class FuzzedClient {
    private static let limit = 2_048

    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let listener = Listener()
    private var received = 0
    private var sent = 0

    init() {
        channel = EmbeddedChannel(loop: loop)
        do {
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.pipeline.syncOperations.addHandlers(
                WebSocketHandler.pipeline(WebSocketOffer(subprotocol: "sip", messageLimit: Self.limit)) + [listener])
        } catch {
            preconditionFailure("a channel of a test is furnished: \(error)")
        }
        channel.pipeline.fireUserInboundEventTriggered(WebSocketHandler.Opened())
    }

    func hear(_ bytes: [UInt8]) {
        guard channel.isActive else { return }
        received += bytes.count
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        collect()
        precondition(listener.bytes <= received, "received more than was sent")
        precondition(listener.longest <= Self.limit, "a message beyond the limit")
        precondition(listener.faults <= 1, "ended twice")
        precondition(listener.faults == 0 || listener.afterFault == 0, "heard who broke the rules")
        // It sends only pongs and its close.
        precondition(sent <= received * 8 + 64, "sent more than was requested")
    }

    func speak() {
        channel.writeAndFlush(ByteBuffer(string: "OPTIONS"), promise: nil)
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { _ = buffer }
    }

    /// Time passes: unfinished data ends the connection, and so does silence.
    func endure() {
        loop.advanceTime(by: .seconds(60))
        precondition(!channel.isActive, "a silent server stays")
        precondition(listener.errors >= 1 && listener.faults <= 1, "it ends for a reason")
    }

    private func collect() {
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { sent += buffer.readableBytes }
    }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var (bytes, longest, faults, errors, afterFault) = (0, 0, 0, 0, 0)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let count = unwrapInboundIn(data).readableBytes
            (bytes, longest) = (bytes + count, max(longest, count))
            if faults > 0 { afterFault += 1 }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            errors += 1
            if error is WebSocketFault { faults += 1 }
            context.close(promise: nil)
        }
    }
}
