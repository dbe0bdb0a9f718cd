import Base
import Glibc
import LineCore
import NIOCore
import NIOPosix
import Platform
import SIPCore
import Turns

/// The sockets of a line: its UDP sockets, its listeners and its connections. Confined to its loop.
///
/// If an address does not exist on this machine yet, the line waits for it, because a telephone may start before its
/// network does. Any other error that keeps a socket from being opened is a mistake that a person has to correct, and
/// stops the start.
final class LineSockets {
    enum Event {
        case datagram([UInt8], from: Flow.Endpoint)
        case stream(Streams.Event)
        /// The missing address exists now, and the sockets are open.
        case opened
        /// The socket with this name is no longer read, or is read again.
        case reading(Bool, of: String)
    }

    /// Why a datagram was not sent.
    enum Refusal: Error {
        /// No host can have its address.
        case nobody
        /// The line has no socket for it at present; the text is for people.
        case closed(String)
        case system(SystemSocket.Failure)
    }

    private(set) var port: UInt16
    private(set) var securePort: UInt16?
    /// Why the line is not open, for people.
    private(set) var fault: String?
    private let settings: LineSettings
    private let loop: any EventLoop
    private let budgets: LineBudgets
    private let hear: (Event) -> Void
    /// Each socket, with the address that it is bound to.
    private var datagrams: [(host: String, socket: Datagrams)] = []
    /// Kept open, so that no other program can take the port.
    private var reserves: [CInt] = []
    private let streams: Streams
    private let secureStreams: Streams
    private let security: TLSContexts
    private var retry: Scheduled<Void>?
    private var isClosed = false

    /// The pauses between attempts to open the sockets.
    private var pauses = GrowingPause(first: .milliseconds(250), longest: .seconds(2))

    /// - Throws: Any error except a missing address, for which the line waits.
    init(
        _ settings: LineSettings, loop: any EventLoop, budgets: LineBudgets, hear: @escaping (Event) -> Void
    ) throws(LinesError) {
        (self.settings, self.loop, self.budgets, self.hear) = (settings, loop, budgets, hear)
        port = settings.port
        streams = Streams(webSocket: settings.webSocketOffer, loop: loop, budgets: budgets)
        let names = settings.configuration.account?.certificateNames
        let callers = names.map { TLSContexts.Callers.server(names: $0) } ?? .anybody
        security = TLSContexts(settings.tls, callers: callers)
        secureStreams = Streams(
            security: security, webSocket: settings.webSocketOffer, loop: loop, budgets: budgets)
        do throws(LinesError) {
            try open(settings.sockets)
        } catch {
            guard case .addressNotAvailable = error else { throw error }
            fault = "\(error)"
        }
    }

    /// - Parameter knows: How well the line knows this far end.
    func start(knows: @escaping (Flow.Endpoint) -> SourceLimits.Acquaintance) {
        streams.start(knows: knows) { [hear] in hear(.stream($0)) }
        secureStreams.start(knows: knows) { [hear] in hear(.stream($0)) }
        for (_, socket) in datagrams { socket.start() }
        streams.listen()
        secureStreams.listen()
        if fault != nil { openLater() }
    }

    func close() {
        // The descriptors may be another socket's by now.
        guard !isClosed else { return }
        isClosed = true
        retry?.cancel()
        for (_, socket) in datagrams { socket.close() }
        reserves.forEach(SystemSocket.release)
        streams.close()
        secureStreams.close()
    }

    /// Sets the query that later WebSocket requests append to their path.
    func ask(query: String) {
        streams.ask(query: query)
        secureStreams.ask(query: query)
    }

    /// Why the line cannot use TLS at present, although it may need it.
    var securityFault: LinesError? {
        let transport = settings.configuration.account?.server.transport
        return transport?.isSecure == true || settings.tls.port != nil ? security.fault : nil
    }

    /// How often a socket had to be opened again.
    var reopenings: Int {
        datagrams.reduce(streams.reopenings + secureStreams.reopenings) { $0 + $1.socket.socket.reopenings }
    }

    // MARK: Opening

    private func open(_ kinds: [ListeningSockets.Kind]) throws(LinesError) {
        let sockets = try ListeningSockets(hosts: settings.addresses, port: port, kinds)
        port = sockets.port
        securePort = sockets.securePort ?? securePort
        for socket in sockets.all {
            switch socket.kind {
            case .datagrams:
                let name = "UDP at \(socket.host) port \(port)"
                let fresh = Datagrams(
                    socket.descriptor, loop: loop, budget: budgets.datagrams,
                    changed: { [hear] in hear(.reading($0, of: name)) },
                    receive: { [hear] in hear(.datagram($0, from: $1)) })
                datagrams.append((socket.host, fresh))
            case .streams: streams.add(listener: socket.descriptor, port: port)
            case .secure: secureStreams.add(listener: socket.descriptor, port: sockets.securePort ?? port)
            case .reserve: reserves.append(socket.descriptor)
            }
        }
    }

    private func openLater() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        retry = loop.scheduleTask(in: pauses.next()) { bound.value.openAgain() }
    }

    /// Reacts to a change of the machine's network: the missing address may exist now.
    func networkStirred() {
        guard fault != nil, !isClosed, let retry else { return }
        retry.cancel()
        openAgain()
    }

    private func openAgain() {
        do throws(LinesError) {
            try open(settings.sockets)
            fault = nil
            for (_, socket) in datagrams { socket.start() }
            streams.listen()
            secureStreams.listen()
            hear(.opened)
        } catch {
            fault = "\(error)"
            openLater()
        }
    }

    /// Opens the UDP sockets of an account for which DNS chose UDP, when it sends its first datagram. Other accounts
    /// never get one, because `LineMachine` uses only the account's transport. A needless socket would only give others
    /// a way to send to the line.
    private func needDatagrams() throws(Refusal) {
        guard datagrams.isEmpty, fault == nil, !isClosed else { return }
        do throws(LinesError) { try open([.datagrams]) } catch { throw .closed("\(error)") }
        for (_, socket) in datagrams { socket.start() }
    }

    // MARK: Sending

    func send(_ bytes: [UInt8], to remote: Flow.Endpoint) throws(Refusal) {
        guard remote.isSomebody else { throw .nobody }
        try needDatagrams()
        let isVersion6 = remote.address.isVersion6
        guard let socket = datagrams.first(where: { $0.host.isVersion6 == isVersion6 })?.socket else {
            throw .closed(fault ?? "this line has no socket for \(remote.host)")
        }
        do throws(SystemSocket.Failure) { try socket.send(bytes, to: remote) } catch { throw .system(error) }
    }

    /// - Returns: Nil over UDP.
    func streams(of transport: Flow.Transport) -> Streams? {
        switch transport {
        case .udp: nil
        case .tcp, .ws: streams
        case .tls, .wss: secureStreams
        }
    }

    /// Our address as a far end sees it if no NAT translates it.
    /// - Throws: The error of the system if there is no route to the far end.
    func localAddress(towards remote: Flow.Endpoint) throws(SystemSocket.Failure) -> IPAddress {
        guard let own = address(like: remote) else { throw SystemSocket.Failure(code: EAFNOSUPPORT) }
        return try SystemSocket.localAddress(from: own.isUnspecified ? nil : own, towards: remote)
    }

    /// Our address towards the source of a datagram. Nil: there is no route back. This asks the system only if the line
    /// listens on all addresses.
    func address(of remote: Flow.Endpoint) -> IPAddress? {
        guard let own = address(like: remote) else { return nil }
        return own.isUnspecified ? try? localAddress(towards: remote) : own
    }

    private func address(like remote: Flow.Endpoint) -> IPAddress? {
        settings.addresses.lazy.compactMap { IPAddress(zoned: $0) }.first { $0.isVersion6 == remote.address.isVersion6 }
    }
}

/// A line's UDP socket at one address. Confined to its loop.
///
/// A channel reads it, but sending bypasses the channel. So a refusal by the system concerns only one datagram and
/// never closes the socket, and no datagram waits while the socket is full.
package final class Datagrams {
    package typealias Receive = (_ bytes: [UInt8], _ from: Flow.Endpoint) -> Void
    /// Sends a datagram on a socket, at once or not at all.
    package typealias Send = (_ bytes: [UInt8], _ socket: CInt, _ to: TransportAddress) throws(SystemSocket.Failure) ->
        Void

    /// The size of the largest datagram. A shorter buffer would cut a message, and lose it.
    private static let largest = 65_535
    /// The system has no buffer space at present. The datagram counts as lost on its way, and SIP retransmits it.
    private static let shortages: Set<CInt> = [EAGAIN, ENOBUFS, ENOMEM]

    package let socket: KeptSocket
    private let transmit: Send

    /// - Parameters:
    /// - descriptor: Bound. This object owns it from now on.
    /// - budget: Limits all datagrams of one turn.
    ///   - send: Sends a datagram; tests replace it.
    /// - changed: Called when reading stops or starts again.
    package init(
        _ descriptor: CInt, loop: any EventLoop, budget: TurnBudget, send: @escaping Send = SystemSocket.send,
        changed: @escaping (_ isRead: Bool) -> Void, receive: @escaping Receive
    ) {
        transmit = send
        let handler = NIOLoopBound((receive, budget), eventLoop: loop)
        let open = { (descriptor: CInt) in
            DatagramBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.largest))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let (receive, budget) = handler.value
                        try channel.pipeline.syncOperations.addHandlers([
                            TurnGate(budget, .datagrams), DatagramHandler(receive),
                        ])
                    }
                }
                .withBoundSocket(descriptor)
        }
        socket = KeptSocket(descriptor, loop: loop, open: open, changed: changed)
    }

    package func start() { socket.start() }

    package func close() { socket.close() }

    /// - Throws: The error by which the system refused this datagram.
    package func send(_ bytes: [UInt8], to remote: Flow.Endpoint) throws(SystemSocket.Failure) {
        do throws(SystemSocket.Failure) {
            try transmit(bytes, socket.descriptor, remote)
        } catch {
            guard Self.shortages.contains(error.code) else { throw error }
        }
    }
}

private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: Datagrams.Receive

    init(_ receive: @escaping Datagrams.Receive) { self.receive = receive }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let remote = Flow.Endpoint(envelope.remoteAddress) else { return }
        receive(Array(envelope.data.readableBytesView), remote)
    }

    /// Ignores errors of single datagrams, which are no reason to close the channel.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension Flow.Endpoint {
    init?(_ address: SocketAddress?) {
        guard let known = unsafe address?.withSockAddr({ address, _ in unsafe TransportAddress(address) }) ?? nil else {
            return nil
        }
        self = known
    }

    /// Whether this can be the address of one host: a unicast address, and a port that is not 0. The phone never sends
    /// to any other endpoint, even if a message names it.
    package var isSomebody: Bool { port != 0 && address.unmapped.isOneHost }
}
