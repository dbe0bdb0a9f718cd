import ICECore
import NIOCore
import NIOPosix
import NIOSSL
import SIPCore

/// A line's connections over TCP, or over TLS: those that peers open and those that it opens, one for each far end
/// (RFC 3261 §18). Whatever comes over one is answered over it (RFC 5923 §5). Confined to its loop.
final class Streams {
    enum Event {
        case message([UInt8], from: Flow.Endpoint)
        /// An answer to our keep-alive.
        case pong(from: Flow.Endpoint)
        /// What came is no SIP, and the connection is being closed.
        case broken
        /// One connection too many.
        case refused
        /// The connection is gone, or never came about, and why if that is worth telling.
        case closed(Flow.Endpoint, StreamFault?)
    }

    /// How many connections there may be, and how long they may do nothing.
    struct Limits {
        /// Of both kinds. Peers get fewer, so that our own always find room.
        var connections = 32
        var peers = 24
        /// Of one address.
        var peersOfOneHost = 8
        /// A peer's silence, and our own connection's, which a registration needs for longer.
        var peerSilence: TimeAmount = .seconds(120)
        var ownSilence: TimeAmount = .minutes(30)
        var connectTime: TimeAmount = .seconds(5)
        var patience = StreamHandler.Patience()
    }

    fileprivate enum Connection {
        case connecting(Attempt)
        /// Our connection is there; TLS is not.
        case securing(any Channel, Attempt)
        case open(any Channel, by: Opener)
    }

    fileprivate struct Attempt {
        var waiting: [[UInt8]]
        /// Where we are; nil when that is not known.
        let host: String?
        /// One of whom the far end must prove to be, the one that it is asked for first.
        let names: [String]
    }

    fileprivate enum Opener: Equatable {
        case peer
        /// Where we were then, and whom we wanted to reach.
        case us(from: String?, names: [String])
    }

    /// Nil: TCP.
    private let security: TLSContexts?
    private let sockets: [CInt]
    private let limits: Limits
    private let loop: any EventLoop
    private var listeners: [EventLoopFuture<any Channel>] = []
    private var connections: [Flow.Endpoint: Connection] = [:]
    private var happened: (Event) -> Void = { _ in }
    private var isClosed = false

    /// - Parameter sockets: Bound and listening; from now on owned by this.
    init(listening sockets: [CInt], security: TLSContexts? = nil, limits: Limits = Limits(), loop: any EventLoop) {
        (self.sockets, self.security, self.limits, self.loop) = (sockets, security, limits, loop)
    }

    func start(happened: @escaping (Event) -> Void) {
        self.happened = happened
        let bound = NIOLoopBound(self, eventLoop: loop)
        listeners = sockets.map { socket in
            ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
                }
                .withBoundSocket(socket)
        }
    }

    /// - Parameters:
    ///   - host: The own address towards the far end, now; nil without a way there. A connection of ours from another
    ///     one leads nowhere any more, and TCP would take a quarter of an hour to say so: it is opened anew.
    ///   - names: Over TLS, one of them must be in the far end's certificate.
    func send(_ bytes: [UInt8], to remote: Flow.Endpoint, from host: String?, names: [String] = []) {
        let fresh = Attempt(waiting: [bytes], host: host, names: names)
        switch connections[remote] {
        case .open(let channel, .us(let before, let known)) where host != nil && host != before || known != names:
            connect(remote, fresh)
            channel.close(promise: nil)
        case .open(let channel, _): write(bytes, to: channel)
        case .connecting(let attempt):
            if let more = attempt.waitingFor(bytes) { connections[remote] = .connecting(more) }
        case .securing(let channel, let attempt):
            if let more = attempt.waitingFor(bytes) { connections[remote] = .securing(channel, more) }
        case nil:
            guard connections.count < limits.connections else { return later(.closed(remote, nil)) }
            connect(remote, fresh)
        }
    }

    /// Closes a connection that leads nowhere.
    func abandon(_ remote: Flow.Endpoint) {
        guard let connection = connections.removeValue(forKey: remote) else { return }
        connection.channel?.close(promise: nil)
    }

    func close() {
        isClosed = true
        if listeners.isEmpty { sockets.forEach(SystemSocket.release) }
        for listener in listeners { listener.whenSuccess { $0.close(promise: nil) } }
        for connection in connections.values { connection.channel?.close(promise: nil) }
        connections = [:]
    }

    // MARK: Coming about

    private func accept(_ channel: any Channel) throws {
        guard !isClosed, let remote = Flow.Endpoint(channel.remoteAddress), connections[remote] == nil,
            hasRoom(for: remote.host)
        else {
            happened(.refused)
            channel.close(promise: nil)
            return
        }
        if let handler = security?.serverHandler() { try channel.pipeline.syncOperations.addHandler(handler) }
        try open(channel, to: remote, by: .peer)
        connections[remote] = .open(channel, by: .peer)
    }

    private func hasRoom(for host: String) -> Bool {
        let peers = connections.filter { $0.value.isPeer }
        return connections.count < limits.connections && peers.count < limits.peers
            && peers.count { $0.key.host == host } < limits.peersOfOneHost
    }

    private func connect(_ remote: Flow.Endpoint, _ attempt: Attempt) {
        connections[remote] = .connecting(attempt)
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ClientBootstrap(group: loop).connectTimeout(limits.connectTime)
        for (option, value) in SystemSocket.marks(isIPv6: remote.host.contains(":")) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        bootstrap.connect(host: remote.host, port: Int(remote.port)).whenComplete { bound.value.connected(remote, $0) }
    }

    private func connected(_ remote: Flow.Endpoint, _ result: Result<any Channel, any Error>) {
        guard !isClosed, case .connecting(let attempt) = connections[remote] else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            if let security {
                // The first of them is what was asked for; an address is not told.
                let name = attempt.names.first { IPAddress($0) == nil }
                try channel.pipeline.syncOperations.addHandler(security.clientHandler(for: name))
                connections[remote] = .securing(channel, attempt)
            }
            try open(channel, to: remote, by: .us(from: attempt.host, names: attempt.names))
            if security == nil { ready(channel, remote, attempt) }
        } catch {
            connections[remote] = nil
            if case .success(let channel) = result { channel.close(promise: nil) }
            happened(.closed(remote, security == nil ? nil : StreamFault(handshake: error)))
        }
    }

    private func open(_ channel: any Channel, to remote: Flow.Endpoint, by opener: Opener) throws {
        let silence = opener == .peer ? limits.peerSilence : limits.ownSilence
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: silence))
        try pipeline.addHandler(
            StreamHandler(isPeer: opener == .peer, isSecure: security != nil, patience: limits.patience) {
                [weak self] in self?.heard($0, from: remote, on: channel)
            })
    }

    private func ready(_ channel: any Channel, _ remote: Flow.Endpoint, _ attempt: Attempt) {
        connections[remote] = .open(channel, by: .us(from: attempt.host, names: attempt.names))
        for bytes in attempt.waiting { write(bytes, to: channel) }
    }

    // MARK: Being used

    private func heard(_ output: StreamHandler.Output, from remote: Flow.Endpoint, on channel: any Channel) {
        let isCurrent = connections[remote]?.channel === channel
        switch output {
        case .secured(let certificate):
            guard isCurrent, case .securing(_, let attempt) = connections[remote] else { return }
            guard security?.trusts(certificate, as: attempt.names) == true else {
                connections[remote] = nil
                channel.close(promise: nil)
                return happened(.closed(remote, .otherName))
            }
            ready(channel, remote, attempt)
        case .pong: if isCurrent { happened(.pong(from: remote)) }
        case .message(let bytes) where SIPMessage.mayBegin(bytes):
            if isCurrent { happened(.message(bytes, from: remote)) }
        case .message, .broken:
            happened(.broken)
            channel.close(promise: nil)
        case .closed(let fault):
            guard isCurrent else { return }
            connections[remote] = nil
            happened(.closed(remote, fault))
        }
    }

    private func write(_ bytes: [UInt8], to channel: any Channel) {
        // A peer that does not read what it is sent is gone.
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    /// Never from inside `send`.
    private func later(_ event: Event) {
        let bound = NIOLoopBound((self, event), eventLoop: loop)
        loop.execute { bound.value.0.happened(bound.value.1) }
    }
}

extension Streams.Connection {
    fileprivate var channel: (any Channel)? {
        switch self {
        case .connecting: nil
        case .securing(let channel, _), .open(let channel, _): channel
        }
    }

    fileprivate var isPeer: Bool {
        switch self {
        case .open(_, .peer): true
        case .connecting, .securing, .open: false
        }
    }
}

extension Streams.Attempt {
    /// Messages that wait for a connection to come about.
    private static let limit = 16

    /// Nil when too much waits already.
    fileprivate func waitingFor(_ bytes: [UInt8]) -> Self? {
        guard waiting.count < Self.limit else { return nil }
        var more = self
        more.waiting.append(bytes)
        return more
    }
}
