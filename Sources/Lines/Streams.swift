import NIOCore
import NIOPosix
import SIPCore

/// A line's TCP connections: those that peers open and those that it opens, one for each far end (RFC 3261 §18).
/// Confined to its loop.
final class Streams {
    enum Event {
        case message([UInt8], from: Flow.Endpoint)
        /// What came is no SIP, and the connection is being closed.
        case broken
        /// One connection too many.
        case refused
        /// The connection is gone, or never came about.
        case closed(Flow.Endpoint)
    }

    /// Connections at once, of both kinds.
    static let limit = 32
    /// How long a peer's connection may be silent, and how long our own, which a registration needs for longer.
    static let peerSilence: TimeAmount = .seconds(120)
    static let ownSilence: TimeAmount = .minutes(30)
    static let connectTime: TimeAmount = .seconds(5)
    /// Messages that wait for a connection to come about.
    private static let waitingLimit = 16

    private enum Connection {
        case connecting([[UInt8]], from: String?)
        case open(any Channel, by: Opener)
    }

    private enum Opener: Equatable {
        case peer
        /// Where we were then; nil when that was not known.
        case us(from: String?)
    }

    private let socket: CInt
    private let loop: any EventLoop
    private var listener: EventLoopFuture<any Channel>?
    private var connections: [Flow.Endpoint: Connection] = [:]
    private var happened: (Event) -> Void = { _ in }
    private var isClosed = false

    /// - Parameter socket: Bound and listening; from now on owned by this.
    init(listening socket: CInt, loop: any EventLoop) { (self.socket, self.loop) = (socket, loop) }

    func start(happened: @escaping (Event) -> Void) {
        self.happened = happened
        let bound = NIOLoopBound(self, eventLoop: loop)
        listener = ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
            }
            .withBoundSocket(socket)
    }

    /// - Parameter host: The own address towards the far end, now; nil without a way there. A connection of ours from
    ///   another one leads nowhere any more, and TCP would take a quarter of an hour to say so: it is opened anew.
    func send(_ bytes: [UInt8], to remote: Flow.Endpoint, from host: String?) {
        switch connections[remote] {
        case .open(let channel, .us(let before)) where host != nil && host != before:
            connections[remote] = .connecting([bytes], from: host)
            channel.close(promise: nil)
            connect(remote)
        case .open(let channel, _): write(bytes, to: channel)
        case .connecting(var waiting, let before):
            guard waiting.count < Self.waitingLimit else { return }
            waiting.append(bytes)
            connections[remote] = .connecting(waiting, from: before)
        case nil:
            guard connections.count < Self.limit else { return later(.closed(remote)) }
            connections[remote] = .connecting([bytes], from: host)
            connect(remote)
        }
    }

    func close() {
        isClosed = true
        if let listener { listener.whenSuccess { $0.close(promise: nil) } } else { SystemSocket.release(socket) }
        for case .open(let channel, _) in connections.values { channel.close(promise: nil) }
        connections = [:]
    }

    // MARK: Coming about

    private func accept(_ channel: any Channel) throws {
        guard !isClosed, let remote = Flow.Endpoint(channel.remoteAddress), connections[remote] == nil,
            connections.count < Self.limit
        else {
            happened(.refused)
            channel.close(promise: nil)
            return
        }
        try open(channel, to: remote, by: .peer)
    }

    private func connect(_ remote: Flow.Endpoint) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .connect(host: remote.host, port: Int(remote.port))
            .whenComplete { bound.value.connected(remote, $0) }
    }

    private func connected(_ remote: Flow.Endpoint, _ result: Result<any Channel, any Error>) {
        guard !isClosed, case .connecting(let waiting, let host) = connections[remote] else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            try open(channel, to: remote, by: .us(from: host))
            for bytes in waiting { write(bytes, to: channel) }
        } catch {
            connections[remote] = nil
            happened(.closed(remote))
        }
    }

    private func open(_ channel: any Channel, to remote: Flow.Endpoint, by opener: Opener) throws {
        let silence = opener == .peer ? Self.peerSilence : Self.ownSilence
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: silence))
        try pipeline.addHandler(StreamHandler { [weak self] in self?.heard($0, from: remote, on: channel) })
        connections[remote] = .open(channel, by: opener)
    }

    // MARK: Being used

    private func heard(_ output: StreamHandler.Output, from remote: Flow.Endpoint, on channel: any Channel) {
        switch output {
        case .message(let bytes) where bytes.beginsLikeSIP: happened(.message(bytes, from: remote))
        case .message, .broken:
            happened(.broken)
            channel.close(promise: nil)
        case .closed:
            guard case .open(let current, _) = connections[remote], current === channel else { return }
            connections[remote] = nil
            happened(.closed(remote))
        }
    }

    private func write(_ bytes: [UInt8], to channel: any Channel) {
        // A peer that does not read what it is sent is gone.
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    /// Never from inside `send`.
    private func later(_ event: Event) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let event = NIOLoopBound(event, eventLoop: loop)
        loop.execute { bound.value.happened(event.value) }
    }
}
