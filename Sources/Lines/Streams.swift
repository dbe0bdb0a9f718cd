import ICECore
import NIOCore
import NIOPosix
import NIOSSL
import SIPCore

/// A line's connections over TCP, or over TLS: those that peers open and those that it opens, one of each kind for each
/// far end (RFC 3261 §18). Whatever comes over one is answered over it (RFC 5923 §5). Confined to its loop.
final class Streams {
    /// What tells a connection from the others. Whoever connects to us from the server's own address and port is not
    /// the server that we connected to.
    struct Name: Hashable {
        let remote: Flow.Endpoint
        let opener: Flow.Opener
    }

    enum Event {
        case message([UInt8], from: Name)
        /// An answer to our keep-alive.
        case pong(from: Name)
        /// What came is no SIP, and the connection is being closed.
        case broken
        /// One connection too many.
        case refused
        /// The connection is gone, or never came about, and why if that is worth telling.
        case closed(Name, StreamFault?)
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
        case open(any Channel, Purpose?)
    }

    fileprivate struct Attempt {
        var waiting: [[UInt8]]
        /// Where we are; nil when that is not known.
        let host: String?
        /// One of whom the far end must prove to be, the one that it is asked for first.
        let names: [String]
    }

    /// What a connection of ours was opened for: where we were then, and whom we wanted to reach.
    fileprivate struct Purpose: Equatable {
        let host: String?
        let names: [String]
    }

    /// Nil: TCP.
    private let security: TLSContexts?
    private let sockets: [CInt]
    private let limits: Limits
    private let loop: any EventLoop
    private var listeners: [EventLoopFuture<any Channel>] = []
    private var connections: [Name: Connection] = [:]
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

    /// Sends over our own connection to a far end, and opens it if there is none.
    ///
    /// - Parameters:
    ///   - host: The own address towards the far end, now; nil without a way there. A connection of ours from another
    ///     one leads nowhere any more, and TCP would take a quarter of an hour to say so: it is opened anew.
    ///   - names: Over TLS, one of them must be in the far end's certificate.
    func send(_ bytes: [UInt8], to remote: Flow.Endpoint, from host: String?, names: [String] = []) {
        let fresh = Attempt(waiting: [bytes], host: host, names: names)
        let name = Name(remote: remote, opener: .us)
        switch connections[name] {
        case .open(let channel, let purpose?)
        where host != nil && host != purpose.host || purpose.names != names:
            connect(name, fresh)
            channel.close(promise: nil)
        case .open(let channel, _): write(bytes, to: channel)
        case .connecting(let attempt):
            if let more = attempt.waitingFor(bytes) { connections[name] = .connecting(more) }
        case .securing(let channel, let attempt):
            if let more = attempt.waitingFor(bytes) { connections[name] = .securing(channel, more) }
        case nil:
            guard connections.count < limits.connections else { return later(.closed(name, nil)) }
            connect(name, fresh)
        }
    }

    /// Sends over a connection that the far end opened; false when there is none (any more).
    func answer(_ bytes: [UInt8], to remote: Flow.Endpoint) -> Bool {
        guard case .open(let channel, _) = connections[Name(remote: remote, opener: .peer)] else { return false }
        write(bytes, to: channel)
        return true
    }

    /// Closes a connection that leads nowhere.
    func abandon(_ name: Name) {
        guard let connection = connections.removeValue(forKey: name) else { return }
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
        guard !isClosed, let remote = Flow.Endpoint(channel.remoteAddress), hasRoom(for: remote.host) else {
            happened(.refused)
            channel.close(promise: nil)
            return
        }
        let name = Name(remote: remote, opener: .peer)
        if let handler = security?.serverHandler() { try channel.pipeline.syncOperations.addHandler(handler) }
        try open(channel, to: name)
        connections[name] = .open(channel, nil)
    }

    private func hasRoom(for host: String) -> Bool {
        let peers = connections.keys.filter { $0.opener == .peer }
        return connections.count < limits.connections && peers.count < limits.peers
            && peers.count { $0.remote.host == host } < limits.peersOfOneHost
    }

    private func connect(_ name: Name, _ attempt: Attempt) {
        connections[name] = .connecting(attempt)
        let bound = NIOLoopBound(self, eventLoop: loop)
        var bootstrap = ClientBootstrap(group: loop).connectTimeout(limits.connectTime)
        for (option, value) in SystemSocket.marks(isIPv6: name.remote.host.contains(":")) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        bootstrap.connect(host: name.remote.host, port: Int(name.remote.port))
            .whenComplete { bound.value.connected(name, $0) }
    }

    private func connected(_ name: Name, _ result: Result<any Channel, any Error>) {
        guard !isClosed, case .connecting(let attempt) = connections[name] else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            if let security {
                // The first of them is what was asked for; an address is not told.
                let asked = attempt.names.first { IPAddress($0) == nil }
                try channel.pipeline.syncOperations.addHandler(security.clientHandler(for: asked))
                connections[name] = .securing(channel, attempt)
            }
            try open(channel, to: name)
            if security == nil { ready(channel, name, attempt) }
        } catch {
            connections[name] = nil
            if case .success(let channel) = result { channel.close(promise: nil) }
            happened(.closed(name, security == nil ? nil : StreamFault(handshake: error)))
        }
    }

    private func open(_ channel: any Channel, to name: Name) throws {
        let silence = name.opener == .peer ? limits.peerSilence : limits.ownSilence
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(allTimeout: silence))
        try pipeline.addHandler(
            StreamHandler(isPeer: name.opener == .peer, isSecure: security != nil, patience: limits.patience) {
                [weak self] in self?.heard($0, from: name, on: channel)
            })
    }

    private func ready(_ channel: any Channel, _ name: Name, _ attempt: Attempt) {
        connections[name] = .open(channel, Purpose(host: attempt.host, names: attempt.names))
        for bytes in attempt.waiting { write(bytes, to: channel) }
    }

    // MARK: Being used

    private func heard(_ output: StreamHandler.Output, from name: Name, on channel: any Channel) {
        let isCurrent = connections[name]?.channel === channel
        switch output {
        case .secured(let certificate):
            guard isCurrent, case .securing(_, let attempt) = connections[name] else { return }
            guard security?.trusts(certificate, as: attempt.names) == true else {
                connections[name] = nil
                channel.close(promise: nil)
                return happened(.closed(name, .otherName))
            }
            ready(channel, name, attempt)
        case .pong: if isCurrent { happened(.pong(from: name)) }
        case .message(let bytes) where SIPMessage.mayBegin(bytes):
            if isCurrent { happened(.message(bytes, from: name)) }
        case .message, .broken:
            happened(.broken)
            channel.close(promise: nil)
        case .closed(let fault):
            guard isCurrent else { return }
            connections[name] = nil
            happened(.closed(name, fault))
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
