import Base
import Cryptography
import Glibc
import LineCore
import NIOCore
import NIOPosix
import SIPCore
import Turns

/// A line's connections over TCP, or over TLS, with or without WebSockets in them. For each far end there is at most
/// one connection that the far end opened and one that the line opened (RFC 3261 §18). The answer to a request goes
/// over the same connection (RFC 5923 §5). Confined to its loop.
final class Streams {
    /// The key of a connection. It includes the opener, because a far end that connects to us from the server's address
    /// and port need not be the server.
    struct Name: Hashable {
        let remote: Flow.Endpoint
        let opener: Flow.Opener

        init(_ flow: Flow) { (remote, opener) = (flow.remote, flow.opener) }
        init(_ remote: Flow.Endpoint, _ opener: Flow.Opener) { (self.remote, self.opener) = (remote, opener) }
    }

    fileprivate struct Entry {
        /// The flow by which senders identify this connection.
        let flow: Flow
        /// A number that rises with each connection.
        let age: UInt64
        var state: Connection
        /// Whether a whole message arrived over it.
        var hasSpoken = false
    }

    fileprivate enum Connection {
        case connecting(Attempt)
        /// A peer's connection, whose handshake is not done.
        case greeting(any Channel)
        /// The TCP connection is open, but the handshake of TLS, or then of the WebSocket, is not done yet.
        case securing(any Channel, Attempt)
        case open(any Channel, Purpose?)
    }

    fileprivate struct Attempt {
        var waiting: [[UInt8]]
        /// Our address towards the far end. Nil if it is not known.
        let host: IPAddress?
        /// The certificate must hold one of these names. The handshake sends the first that is not an address.
        let names: [String]
        /// Whether the connection is bound to the line's own port.
        var isFromOwnPort: Bool
        /// The most messages that wait for a connection to open.
        private static let limit = 16

        /// Nil if too many messages already wait.
        func waitingFor(_ bytes: [UInt8]) -> Self? {
            guard waiting.count < Self.limit else { return nil }
            var more = self
            more.waiting.append(bytes)
            return more
        }
    }

    /// The purpose of our connection: our address when it was opened, and the names of the far end.
    fileprivate struct Purpose: Equatable {
        let host: IPAddress?
        let names: [String]
    }

    private let transport: Flow.Transport
    /// Nil: TCP without TLS.
    private let security: TLSContexts?
    /// The offer to a server, once TCP and TLS are open. Nil: no WebSocket.
    private var webSocket: WebSocketOffer?
    /// Whether a connection is one session, whose messages are not SIP.
    private var isSession: Bool { webSocket?.carriesSIP == false }
    private let limits: Limits
    private let loop: any EventLoop
    private let budgets: LineBudgets
    private var listeners: [KeptSocket] = []
    /// The port by which peers know the line.
    private var port: UInt16 = 0
    private var connections: [Name: Entry] = [:]
    private var age: UInt64 = 0
    private var happened: (Event) -> Void = { _ in }
    private var knows: (Flow.Endpoint) -> SourceLimits.Acquaintance = { _ in .stranger }
    private var isClosed = false

    init(
        security: TLSContexts? = nil, webSocket: WebSocketOffer? = nil, limits: Limits = Limits(), loop: any EventLoop,
        budgets: LineBudgets
    ) {
        (self.security, self.webSocket, self.limits, self.loop) = (security, webSocket, limits, loop)
        self.budgets = budgets
        let isWebSocket = webSocket != nil
        transport = security == nil ? (isWebSocket ? .ws : .tcp) : isWebSocket ? .wss : .tls
    }

    /// - Parameter knows: How well the line knows this far end.
    func start(knows: @escaping (Flow.Endpoint) -> SourceLimits.Acquaintance, happened: @escaping (Event) -> Void) {
        (self.knows, self.happened) = (knows, happened)
    }

    /// - Parameter listener: Bound and listening. This object owns it from now on.
    func add(listener: CInt, port: UInt16) {
        self.port = port
        let bound = NIOLoopBound(self, eventLoop: loop)
        let open = { [loop] (descriptor: CInt) in
            ServerBootstrap(group: loop)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.recvAllocator, value: TurnGate.readAllocator)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try bound.value.accept(channel) }
                }
                .withBoundSocket(descriptor)
        }
        listeners.append(KeptSocket(listener, loop: loop, open: open) { bound.value.listening(isRead: $0) })
    }

    private func listening(isRead: Bool) { happened(.listening(isRead, port)) }

    /// How often a listener had to be opened again.
    var reopenings: Int { listeners.reduce(0) { $0 + $1.reopenings } }

    /// Sets the query that later WebSocket requests append to their path.
    func ask(query: String) { webSocket = webSocket?.asking(query) }

    /// Accepts connections from now on.
    func listen() { for listener in listeners { listener.start() } }

    /// Sends over our own connection to a far end, which it opens if necessary. A connection from another address than
    /// `host` no longer works, but TCP reports that after a quarter of an hour. So a new one replaces it. A session is
    /// closed instead, because no other connection can continue it.
    ///
    /// - Parameters:
    ///   - host: Our present address towards the far end. Nil without a route to it.
    ///   - names: Over TLS, the certificate must hold one of them. A WebSocket request names the first.
    ///   - fromOwnPort: Whether the connection begins at the local port of the flow, if that port is free.
    func send(
        _ bytes: [UInt8], over flow: Flow, from host: IPAddress?, names: [String] = [], fromOwnPort: Bool = false
    ) {
        if isSession, let host, host != flow.local.address {
            abandon(flow)
            return later(.closed(flow, nil))
        }
        let fresh = Attempt(waiting: [bytes], host: host, names: names, isFromOwnPort: fromOwnPort)
        let name = Name(flow.remote, .us)
        switch connections[name]?.state {
        case .open(let channel, let purpose?)
        where host != nil && host != purpose.host || purpose.names != names:
            connect(flow, fresh)
            channel.close(promise: nil)
        case .open(let channel, _): write(bytes, to: channel)
        case .greeting: return
        case .connecting(let attempt):
            if let more = attempt.waitingFor(bytes) { connections[name]?.state = .connecting(more) }
        case .securing(let channel, let attempt):
            if let more = attempt.waitingFor(bytes) { connections[name]?.state = .securing(channel, more) }
        case nil:
            guard connections.keys.count(where: { $0.opener == .us }) < limits.own else {
                return later(.closed(flow, nil))
            }
            connect(flow, fresh)
        }
    }

    /// Sends over a connection that the far end opened. False if no such connection is open.
    func answer(_ bytes: [UInt8], to remote: Flow.Endpoint) -> Bool {
        guard case .open(let channel, _) = connections[Name(remote, .peer)]?.state else { return false }
        write(bytes, to: channel)
        return true
    }

    /// Closes a connection that no longer works.
    func abandon(_ flow: Flow) {
        connections.removeValue(forKey: Name(flow))?.channel?.close(promise: nil)
    }

    func close() {
        isClosed = true
        for listener in listeners { listener.close() }
        listeners = []
        for connection in connections.values { connection.channel?.close(promise: nil) }
        connections = [:]
    }

    // MARK: Opening connections

    private func accept(_ channel: any Channel) throws {
        guard !isClosed, let remote = Flow.Endpoint(channel.remoteAddress), remote.isSomebody,
            let local = Flow.Endpoint(channel.localAddress), makeRoom(for: remote)
        else {
            happened(.refused)
            channel.close(promise: nil)
            return
        }
        let flow = Flow(transport, local: .init(local.address, port), remote: remote, opener: .peer)
        if let security {
            try channel.pipeline.syncOperations.addHandlers([
                TurnGate(budgets.streams(of: flow.opener)), try security.serverHandler(),
            ])
        }
        try open(channel, flow)
        enter(flow, security == nil ? .open(channel, nil) : .greeting(channel))
    }

    /// Makes room for a connection from a peer. Unknown sources share a limited number of places, and known ones have
    /// a group of their own. When the places are taken, the oldest connection there is closed.
    ///
    /// Many peers may share a known source's address behind a NAT. Connections in use stay. Connections that have sent
    /// nothing, or whose handshake is not done, are closed first.
    private func makeRoom(for remote: Flow.Endpoint) -> Bool {
        let peers = connections.values.filter { $0.flow.opener == .peer }.sorted { $0.age < $1.age }
        let isKnown = knows(remote) > .stranger
        let group = peers.filter { (knows($0.flow.remote) > .stranger) == isKnown }
        let neighbours = group.filter { $0.flow.remote.address == remote.address }
        let isFull = group.count >= (isKnown ? limits.friends : limits.strangers)
        let crowd = neighbours.count >= limits.ofOneHost ? neighbours : isFull ? group : []
        guard !crowd.isEmpty else { return true }
        let idle = isKnown ? crowd.filter { !isInUse($0) } : crowd
        guard let last = idle.first(where: { isKnown && !$0.hasSpoken }) ?? idle.first else { return false }
        abandon(last.flow)
        happened(.refused)
        happened(.closed(last.flow, nil))
        return true
    }

    private func isInUse(_ entry: Entry) -> Bool { entry.hasSpoken && knows(entry.flow.remote) == .friend }

    private func enter(_ flow: Flow, _ state: Connection) {
        age += 1
        connections[Name(flow)] = Entry(flow: flow, age: age, state: state)
    }

    private func connect(_ flow: Flow, _ attempt: Attempt) {
        enter(flow, .connecting(attempt))
        let (age, bound) = (age, NIOLoopBound(self, eventLoop: loop))
        var bootstrap = ClientBootstrap(group: loop).connectTimeout(limits.connectTime)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: TurnGate.readAllocator)
        for (option, value) in SystemSocket.options(isIPv6: flow.remote.address.isVersion6) {
            bootstrap = bootstrap.channelOption(option, value: value)
        }
        if attempt.isFromOwnPort, let host = attempt.host,
            let own = try? SocketAddress(ipAddress: host.text, port: Int(flow.local.port))
        {
            bootstrap = bootstrap.channelOption(.socketOption(.so_reuseaddr), value: 1).bind(to: own)
        }
        // The address is numeric, because for a name NIO would report the errors of all its addresses.
        do {
            let remote = try SocketAddress(ipAddress: flow.remote.host, port: Int(flow.remote.port))
            bootstrap.connect(to: remote).whenComplete { bound.value.connected(flow, age, $0) }
        } catch {
            loop.execute { bound.value.connected(flow, age, .failure(error)) }
        }
    }

    /// - Parameter age: The age of the attempt's entry. If that entry was given up, there may be a newer one for the
    ///   same far end.
    private func connected(_ flow: Flow, _ age: UInt64, _ result: Result<any Channel, any Error>) {
        guard !isClosed, let entry = connections[Name(flow)], entry.age == age,
            case .connecting(var attempt) = entry.state
        else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            if attempt.isFromOwnPort { SystemSocket.leaveNoTrace(of: channel) }
            try open(channel, flow)
            if let security {
                // The handshake sends the first name that is not an address, because it must not send an address.
                let asked = attempt.names.first { IPAddress($0) == nil }
                connections[Name(flow)]?.state = .securing(channel, attempt)
                // The TLS handler is added last. It writes at once, and the other handlers must be there to get its
                // errors.
                let gate = TurnGate(budgets.streams(of: flow.opener))
                try channel.pipeline.syncOperations.addHandler(gate, position: .first)
                try channel.pipeline.syncOperations.addHandler(
                    security.clientHandler(for: asked), position: .after(gate))
            } else {
                try proceed(channel, flow, attempt)
            }
            // NIO does not report the end of a connection that ends before this function does.
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
        } catch let error as IOError where attempt.isFromOwnPort && SystemSocket.isTaken(error.errnoCode) {
            // The kernel still remembers the former connection from this port, so this one takes another port.
            attempt.isFromOwnPort = false
            connect(flow, attempt)
        } catch {
            if case .success(let channel) = result { channel.close(promise: nil) }
            guard connections.removeValue(forKey: Name(flow)) != nil else { return }
            happened(.closed(flow, StreamFault(connecting: error)))
        }
    }

    private func open(_ channel: any Channel, _ flow: Flow) throws {
        let isPeer = flow.opener == .peer
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            IdleStateHandler(allTimeout: isPeer ? limits.peerSilence : limits.ownSilence),
            TurnGate(budgets.streams(of: flow.opener)),
            StreamHandler(isPeer: isPeer, transport, times: limits.times) {
                [weak self] in self?.heard($0, from: flow, on: channel)
            },
        ])
    }

    /// Starts the handshake of the WebSocket if there is one. Otherwise sends the waiting messages.
    private func proceed(_ channel: any Channel, _ flow: Flow, _ attempt: Attempt) throws {
        guard let webSocket else { return ready(channel, flow, attempt) }
        connections[Name(flow)]?.state = .securing(channel, attempt)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            WebSocketUpgrade(webSocket, authority: flow.authority(attempt.names.first), times: limits.times.webSocket),
            position: .before(try pipeline.handler(type: StreamHandler.self)))
    }

    private func ready(_ channel: any Channel, _ flow: Flow, _ attempt: Attempt) {
        connections[Name(flow)]?.state = .open(channel, Purpose(host: attempt.host, names: attempt.names))
        for bytes in attempt.waiting { write(bytes, to: channel) }
    }

    // MARK: Using connections

    private func heard(_ output: StreamHandler.Output, from flow: Flow, on channel: any Channel) {
        let name = Name(flow)
        guard let entry = connections[name], entry.channel === channel else { return }
        switch output {
        case .secured(let certificate):
            secured(certificate, entry, channel)
        case .upgraded:
            guard case .securing(_, let attempt) = entry.state else { return }
            ready(channel, flow, attempt)
        // No message counts before the handshake is done and the name in the certificate is verified.
        case .pong, .message, .skipped, .broken:
            guard case .open = entry.state else { return }
            heard(output, flow, channel)
        case .closed(let fault):
            connections[name] = nil
            happened(.closed(entry.flow, fault))
        }
    }

    /// Verifies the name in the far end's certificate.
    private func secured(_ certificate: Certificate?, _ entry: Entry, _ channel: any Channel) {
        switch entry.state {
        case .greeting where security?.admits(certificate) == true:
            connections[Name(entry.flow)]?.state = .open(channel, nil)
        case .securing(_, let attempt) where security?.trusts(certificate, as: attempt.names) == true:
            // A pipeline that accepts no handler belongs to a connection that has ended.
            do { try proceed(channel, entry.flow, attempt) } catch { channel.close(promise: nil) }
        case .greeting, .securing:
            connections[Name(entry.flow)] = nil
            channel.close(promise: nil)
            happened(.closed(entry.flow, .otherName))
        case .connecting, .open: return
        }
    }

    private func heard(_ words: StreamHandler.Output, _ flow: Flow, _ channel: any Channel) {
        switch words {
        case .pong: happened(.pong(flow))
        case .skipped(let length): happened(.skipped(length, flow))
        case .message(let bytes) where SIPMessage.mayBegin(bytes) || isSession:
            connections[Name(flow)]?.hasSpoken = true
            happened(.message(bytes, flow))
        case .message(let bytes), .broken(let bytes):
            happened(.broken(bytes, flow))
            // The promise of an empty write succeeds when everything before it has been written.
            channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
        case .secured, .upgraded, .closed: return
        }
    }

    private func write(_ bytes: [UInt8], to channel: any Channel) {
        // A peer that does not read our messages counts as gone.
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
        // Every WebSocket server answers a ping, but not every one answers CRLF (RFC 7118 §6).
        if webSocket != nil, bytes == SIPStreamFramer.keepAlive {
            channel.triggerUserOutboundEvent(WebSocketHandler.Ping(), promise: nil)
        }
    }

    /// Reports an event after `send` has returned.
    private func later(_ event: Event) {
        let bound = NIOLoopBound((self, event), eventLoop: loop)
        loop.execute { bound.value.0.happened(bound.value.1) }
    }
}

extension Streams.Entry {
    fileprivate var channel: (any Channel)? {
        switch state {
        case .connecting: nil
        case .greeting(let channel), .securing(let channel, _), .open(let channel, _): channel
        }
    }
}
