import Base
import Cryptography
import Glibc
import JSON
import NIOCore
import NIOHTTP1
import NIOPosix
import PhoneCore
import Platform
import SecureTransport
import Turns

/// The HTTP server: listening socket, connections, and permissions. Confined to the control thread.
final class HTTPDoor {
    let settings: HTTPSettings
    let exchange: Exchange
    private(set) var port: UInt16 = 0
    private let hosts: OwnHosts
    private let tls: TLSContext?
    private var listener: (any Channel)?
    private var isClosed = false
    /// Limits the work of all connections in one turn of the loop.
    let budget: TurnBudget
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var guesses = GuessGuard()
    private var usedTokens = UsedTokens()
    var sessions = PageSessions()
    private var rates: RequestRates
    /// Limits the log reports about rejected requests.
    private var reports = RateLimit(burst: 8, interval: .seconds(10))

    /// Reads the certificate.
    init(_ settings: HTTPSettings, _ exchange: Exchange, loop: any EventLoop) throws(ControlError) {
        (self.settings, self.exchange, hosts) = (settings, exchange, OwnHosts(settings.hosts))
        (budget, rates) = (TurnBudget(loop: loop), RequestRates(settings))
        do throws(TLSFileError) {
            tls = try settings.identity.map { (files) throws(TLSFileError) in
                try TLSContext(.server, trust: .anybody, files: files)
            }
        } catch {
            throw .certificate(error.description)
        }
    }

    /// Opens the port. When this returns, programs can connect.
    func open(on loop: any EventLoop) throws(ControlError) {
        let socket = try HTTPListener.open(settings.address, port: settings.port)
        port = socket.port
        let door = NIOLoopBound(self, eventLoop: loop)
        ServerBootstrap(group: loop)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: TurnGate.readAllocator)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try door.value.furnish(channel) }
            }
            .withBoundSocket(socket.descriptor)
            .whenComplete { door.value.listening($0) }
        exchange.tokensChanged = { [unowned self] in closeStrangers() }
        fetchTokens(on: loop)
    }

    /// Fetches the tokens, and retries while the vault refuses.
    private func fetchTokens(on loop: any EventLoop) {
        guard !isClosed, !exchange.tokens.areKnown else { return }
        exchange.fetchTokens()
        let door = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.retry) { door.value.fetchTokens(on: loop) }
    }

    /// Adds all handlers to a connection's pipeline.
    func furnish(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let connection = HTTPConnection(self)
        if let tls { try pipeline.addHandlers([TurnGate(budget), SecureChannelHandler(tls)]) }
        try pipeline.addHandlers([TurnGate(budget), ArrivalWatch(connection), HTTPResponseEncoder()])
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = settings.maximumHeader
        limits.maxHeaderListSize = settings.maximumHeader
        limits.maxHeaderFieldCount = 64
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(limitConfiguration: limits), maximumBufferSize: 2 * settings.maximumBody))
        try pipeline.addHandlers([HTTPServerPipelineHandler(), connection])
    }

    private func listening(_ result: Result<any Channel, any Error>) {
        switch result {
        case .success(let channel):
            if isClosed { channel.close(promise: nil) } else { listener = channel }
        case .failure(let error): exchange.host.report(.listenerFailed("\(error)"))
        }
    }

    func close() {
        isClosed = true
        exchange.tokensChanged = {}
        listener?.close(promise: nil)
        listener = nil
        for connection in connections.values { connection.close() }
        budget.close()
    }

    private static let shortMessage = 4_096
    private static let retry = TimeAmount.seconds(1)

    var isSecure: Bool { tls != nil }
}

// Connections come and go.
extension HTTPDoor {
    /// - Returns: False if there is no room. The connection that was idle longest is closed for a new one, but only if
    ///   it has no token.
    func admit(_ connection: HTTPConnection) -> Bool {
        if connections.count >= settings.maximumConnections {
            let idle = connections.values.filter { !$0.isServed }.min { $0.lastActive < $1.lastActive }
            guard let idle else {
                exchange.statistics.http.connectionsRefused += 1
                report(.tooManyConnections)
                return false
            }
            exchange.statistics.http.displaced += 1
            idle.close()
        }
        connections[ObjectIdentifier(connection)] = connection
        exchange.join(connection)
        exchange.statistics.http.accepted += 1
        exchange.statistics.http.connections = connections.count
        return true
    }

    /// - Parameter bearer: The token of a connection that is already counted.
    func admitAnother(of bearer: ControlToken?) throws(HTTPRefusal) {
        guard connections.values.count(where: { $0.bearer == bearer }) > settings.maximumConnectionsOfToken else {
            return
        }
        throw HTTPRefusal(.tooManyRequests, "this token holds too many connections", [("Retry-After", "5")])
    }

    /// Whether more bytes may wait for a client. Short messages to clients that read are free. All others count
    /// together, because each of many clients could leave a long one unread.
    func hasRoom(for bytes: Int, in channel: any Channel) -> Bool {
        guard channel.hasRoom(for: bytes, limit: exchange.settings.maximumQueuedBytes) else { return false }
        guard bytes > Self.shortMessage || channel.waitingBytes > 0 else { return true }
        let waiting = connections.values.reduce(0) { $0 + ($1.channel?.waitingBytes ?? 0) }
        return waiting + bytes <= settings.maximumQueuedInAll
    }

    func leave(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        exchange.forget(connection)
        exchange.statistics.http.connections = connections.count
    }

    /// Closes connections whose token was removed, and ends its sessions.
    private func closeStrangers() {
        usedTokens.keep(exchange.tokens.knows(digest:))
        sessions.keep(exchange.tokens.knows)
        for connection in connections.values where connection.bearer.map({ !exchange.tokens.knows($0) }) ?? false {
            connection.close()
        }
    }
}

// Permissions.
extension HTTPDoor {
    /// Rejects requests of pages that are not the phone's.
    func check(_ request: ServerRequest, local: TransportAddress?) throws(HTTPRefusal) {
        guard let host = request.header("host"), hosts.include(host, local: local) else {
            let shown = request.header("host")?.shown(bytes: 64) ?? ""
            throw HTTPRefusal(
                .misdirectedRequest, "\"\(shown)\" is no name of this phone; add it to control.http.hosts")
        }
        guard let origin = request.header("origin") else { return }
        // There may be a proxy that terminates TLS in front of a phone without TLS.
        let own = (isSecure ? ["https"] : ["http", "https"]).map { "\($0)://\(host)".lowercased() }
        guard own.contains(origin.lowercased()) else {
            throw HTTPRefusal(.forbidden, "pages of \"\(origin.shown(bytes: 64))\" may not use this phone")
        }
    }

    func requireTokens() throws(HTTPRefusal) {
        guard exchange.tokens.areKnown else {
            throw HTTPRefusal(.serviceUnavailable, "the phone is starting", [("Retry-After", "1")])
        }
    }

    /// The valid token of a request, from its header or from the session of a page.
    func bearer(of request: ServerRequest, for route: HTTPRoute, from peer: TransportAddress?)
        throws(HTTPRefusal) -> ControlToken
    {
        // No session begins another one.
        if request.token == nil, route != .session, let proof = request.header(SessionCookie.header) {
            return try bearer(ofPage: request, proof: proof, from: peer)
        }
        guard let token = request.token else { throw Self.unauthorized("a token is needed") }
        if route == .session { try checkPage(request) }
        try requireTokens()
        let (guesser, now) = (peer?.guesser ?? [], MonotonicClock.now())
        let wait = guesses.wait(of: guesser, at: now)
        // While an address must wait, a guess reveals nothing, but tokens used from there before still work.
        let found = exchange.tokens.bearer(of: token) { bearer in
            wait == nil || usedTokens.includes(bearer.digest, from: guesser)
        }
        if let found {
            usedTokens.note(found.digest, from: guesser)
            return found
        }
        if let wait {
            let seconds = (wait.nanoseconds + 999_999_999) / 1_000_000_000
            throw HTTPRefusal(
                .tooManyRequests, "too many wrong tokens came from this address", [("Retry-After", "\(seconds)")])
        }
        exchange.statistics.http.wrongTokens += 1
        if guesses.noteWrong(from: guesser, at: now) {
            exchange.host.report(.guesserSlowed(peer?.address.text ?? "?"))
        }
        throw Self.unauthorized("this token is not valid")
    }

    /// Counts a request for the rate of its token, or of its address if it has none.
    func admitRequest(of bearer: ControlToken?, from peer: TransportAddress?) throws(HTTPRefusal) {
        let source: RequestRates.Source = bearer.map { .token($0.digest) } ?? .address(peer?.guesser ?? [])
        guard rates.admit(source, at: MonotonicClock.now()) else {
            let reason = bearer == nil ? "too many requests come from this address" : "too many requests use this token"
            throw HTTPRefusal(.tooManyRequests, reason, [("Retry-After", "1")])
        }
    }

    private static func unauthorized(_ reason: String) -> HTTPRefusal {
        HTTPRefusal(.unauthorized, reason, [("WWW-Authenticate", "Bearer")])
    }

    func refused(_ refusal: HTTPRefusal, from peer: TransportAddress?) {
        exchange.statistics.http.refused += 1
        // Browsers ask for icons that do not exist; the log does not need that.
        guard refusal.status != .notFound else { return }
        report(.requestRefused(refusal.reason, from: peer?.address.text ?? "?"))
    }

    /// Reports an event caused by a stranger. The log gets the first reports, then only a few.
    private func report(_ report: ControlReport) {
        if reports.admit(at: MonotonicClock.now()) { exchange.host.report(report) }
    }
}

/// A listening socket for HTTP. Bound at once, so that a port in use is reported at the start.
enum HTTPListener {
    private static let backlog: CInt = 128
    /// The kernel's receive buffer for each client, in bytes, including the kernel's overhead.
    private static let receiveBuffer: CInt = 32_768

    /// - Returns: The descriptor, which the caller closes, and the port it is bound to.
    static func open(_ address: String, port: UInt16) throws(ControlError) -> (descriptor: CInt, port: UInt16) {
        guard let host = IPAddress(address) else {
            throw .address(address, port: port, why: "the address is not numeric")
        }
        func check(_ result: CInt) throws(ControlError) {
            guard result >= 0 else { throw .address(address, port: port, why: text(errno)) }
        }
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let made = socket(host.isVersion6 ? AF_INET6 : AF_INET, flags, 0)
        try check(made)
        let socket = FileDescriptor(owning: made)
        var yes: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        // A restart must not wait for old connections to time out.
        unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        var room = receiveBuffer
        unsafe setsockopt(made, SOL_SOCKET, SO_RCVBUF, &room, size)
        if host.isVersion6 { unsafe setsockopt(made, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
        try check(unsafe TransportAddress(host, port).withSystemAddress { unsafe bind(made, $0, $1) })
        try check(listen(made, backlog))
        return (socket.release(), TransportAddress(boundBy: made)?.port ?? 0)
    }

    private static func text(_ code: CInt) -> String {
        switch code {
        case EADDRINUSE: "it is in use by another program"
        case EADDRNOTAVAIL: "this machine does not have this address"
        default: SystemError.text(code)
        }
    }
}

/// Counters of the HTTP server since the start.
public struct HTTPStatistics: Equatable, Sendable {
    public internal(set) var connections = 0
    public internal(set) var accepted = 0
    /// Connections that were closed to make room for a new one.
    public internal(set) var displaced = 0
    /// Connections that were rejected because there was no room.
    public internal(set) var connectionsRefused = 0
    /// Connections that were closed because they were too slow or silent.
    public internal(set) var timedOut = 0
    public internal(set) var requests = 0
    public internal(set) var streams = 0
    /// Requests that were rejected after reading only their headers.
    public internal(set) var refused = 0
    public internal(set) var wrongTokens = 0

    init() {}

    var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return .object([
            "connections": count(connections), "accepted": count(accepted), "displaced": count(displaced),
            "connectionsRefused": count(connectionsRefused), "timedOut": count(timedOut), "requests": count(requests),
            "streams": count(streams), "refused": count(refused), "wrongTokens": count(wrongTokens),
        ])
    }
}
