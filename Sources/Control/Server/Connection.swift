import JSON
import NIOCore
import PhoneCore

/// One program's connection to the socket. Confined to the control thread.
final class Connection: ChannelInboundHandler, Peer {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case connecting
        case open(any Channel)
        /// The program sends no more. The connection closes after its last answer.
        case listening(any Channel)
        case closed
    }

    private(set) var isSubscribed = false
    var requestsInFlight = 0
    /// Only root and the phone's own user can use the socket.
    var scope: AccessScope { .configure }
    var owner: PeerOwner { .connection(ObjectIdentifier(self)) }

    private let exchange: Exchange
    /// Nil: ask the kernel when the connection exists.
    private let credentials: PeerCredentials?
    private var splitter: LineSplitter
    private var state = State.connecting

    init(_ exchange: Exchange, of credentials: PeerCredentials? = nil) {
        (self.exchange, self.credentials) = (exchange, credentials)
        splitter = LineSplitter(limit: exchange.settings.maximumLineLength)
    }

    func subscribe() { isSubscribed = true }

    func tell(_ event: PublishedEvent) { send(event.line) }

    func answer(_ message: JSONValue?) {
        if let message { send(Self.line(message)) }
        leaveIfDone()
    }

    /// Rejects a program, with the reason.
    private func refuse(_ error: RPCError) {
        Asker(peer: self, identifier: .value(.null), batch: nil).answer(.failure(error))
        close()
    }

    /// A message in the wire's form.
    static func line(_ message: JSONValue) -> ByteBuffer {
        var bytes = message.utf8
        bytes.append(UInt8(ascii: "\n"))
        return ByteBuffer(bytes: bytes)
    }

    /// Queues a line. Drops a program for which too many bytes wait. A single line is always queued, even a long one.
    private func send(_ line: ByteBuffer) {
        guard let channel else { return }
        guard channel.hasRoom(for: line.readableBytes, limit: exchange.settings.maximumQueuedBytes) else {
            exchange.slowReaderDropped()
            return close()
        }
        channel.writeAndFlush(line, promise: nil)
    }

    /// Closes at once. Bytes that the kernel already has still arrive.
    func close() {
        guard let channel else { return }
        state = .closed
        exchange.leave(self)
        channel.close(promise: nil)
    }

    private var channel: (any Channel)? {
        switch state {
        case .open(let channel), .listening(let channel): channel
        case .connecting, .closed: nil
        }
    }

    private func leaveIfDone() {
        guard case .listening(let channel) = state, requestsInFlight == 0, !isSubscribed else { return }
        // The promise of an empty write succeeds when everything before it is written.
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { _ in self.close() }
    }
}

// The events of the channel.
extension Connection {
    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        state = .open(channel)
        // Check after each read whether the program reads its answers.
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        let peer = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) {
            PeerCredentials(descriptor: $0)
        }
        if let refusal = exchange.admit(self, credentials ?? peer ?? nil) {
            refuse(refusal)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let output = splitter.push(unwrapInboundIn(data).readableBytesView)
        for line in output.lines {
            guard case .open = state else { return }
            exchange.handle(line, from: self)
        }
        guard output.isOverlong, case .open = state else { return }
        exchange.overlongLineDropped()
        refuse(.lineTooLong(splitter.limit))
    }

    /// Stops reading while the program does not read, so that its requests wait outside of the phone's memory.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // A channel without this option is already closed.
        try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed, case .open(let channel) = state else {
            return context.fireUserInboundEventTriggered(event)
        }
        state = .listening(channel)
        leaveIfDone()
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .closed
        exchange.leave(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }
}

extension Channel {
    /// Whether another message may wait for a reader. A single message may always wait, even a long one.
    func hasRoom(for bytes: Int, limit: Int) -> Bool {
        waitingBytes == 0 || waitingBytes + bytes <= limit
    }

    var waitingBytes: Int {
        // A channel without this option is already closed; then nothing waits.
        (try? syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
