import Base
import Crypto
import Glibc
import ICECore
import LineCore
import NIOCore
import SIPCore

/// One line: its sockets, its connections and its timer around its machine. Confined to its loop.
final class LineHand {
    let port: UInt16
    /// Where peers reach it over TLS; nil: nowhere.
    let securePort: UInt16?
    private(set) var counters = LineCounters()
    private let settings: LineSettings
    private let loop: any EventLoop
    private let tell: (LineOutput) -> Void
    private var machine: LineMachine
    private var limits = SourceLimits(key: .random(in: .min ... .max))
    /// By the address that they are bound to.
    private let datagrams: [(host: String, socket: Datagrams)]
    private let streams: Streams
    private let secureStreams: Streams
    private let resolver: Resolver
    /// Whom we look for where: the names of hops that led to an address.
    private var sought: [Flow.Endpoint: [String]] = [:]
    /// What is to be told to the machine; more may come while it is told.
    private var inputs: [LineInput] = []
    private var isTelling = false
    private var timer: (due: Instant, scheduled: Scheduled<Void>)?
    private var isClosed = false

    /// Addresses whose names are remembered.
    private static let soughtLimit = 64

    init(_ settings: LineSettings, loop: any EventLoop, tell: @escaping (LineOutput) -> Void) throws(LinesError) {
        let security = try TLSContexts(settings.tls)
        let sockets = try ListeningSockets(
            hosts: settings.addresses, port: settings.port, securePort: settings.tls.port)
        (port, securePort) = (sockets.port, sockets.securePort)
        (self.settings, self.loop, self.tell) = (settings, loop, tell)
        machine = LineMachine(
            configuration: settings.configuration, makeGenerator: { SystemRandomNumberGenerator() },
            hashes: .real)
        datagrams = sockets.pairs.map { ($0.host, Datagrams($0.datagram, loop: loop)) }
        streams = Streams(listening: sockets.pairs.map(\.stream), loop: loop)
        secureStreams = Streams(listening: sockets.secure, security: security, loop: loop)
        resolver = Resolver(NameService(servers: settings.nameServers, family: settings.family), loop: loop)
    }

    func start() {
        for (_, socket) in datagrams { socket.start { [weak self] in self?.received($0, .udp, from: $1, .us) } }
        streams.start { [weak self] in self?.happened($0, .tcp) }
        secureStreams.start { [weak self] in self?.happened($0, .tls) }
        feed(.start)
    }

    func command(_ command: LineCommand) {
        if command == .reconnect { resolver.forget() }
        feed(.command(command))
    }

    func close() {
        isClosed = true
        timer?.scheduled.cancel()
        for (_, socket) in datagrams { socket.close() }
        streams.close()
        secureStreams.close()
        resolver.close()
    }

    // MARK: What comes

    private func received(
        _ bytes: [UInt8], _ transport: Flow.Transport, from remote: Flow.Endpoint, _ opener: Flow.Opener
    ) {
        // Line breaks and zeros keep translators awake, and want no answer where there is no connection.
        guard bytes.contains(where: { $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else { return }
        guard limits.admits(remote, machine.acquaintance(with: remote), at: .now()) else {
            counters.limited += 1
            return
        }
        guard SIPMessage.mayBegin(bytes) || STUNMessage.mayBegin(bytes), let flow = flow(transport, to: remote, opener)
        else {
            counters.garbage += 1
            return
        }
        feed(.received(bytes, flow))
    }

    private func happened(_ event: Streams.Event, _ transport: Flow.Transport) {
        switch event {
        case .message(let bytes, let name): received(bytes, transport, from: name.remote, name.opener)
        case .pong(let name):
            if let flow = flow(transport, to: name.remote, name.opener) { feed(.received([0x0D, 0x0A], flow)) }
        case .broken: counters.garbage += 1
        case .refused: counters.refused += 1
        case .closed(let name, let fault):
            if fault != nil { counters.untrusted += 1 }
            // The own address does not tell connections apart: one is known by its far end, and by who opened it.
            guard let flow = flow(transport, to: name.remote, name.opener) else { return }
            feed(fault.map { .untrusted(flow, $0.text) } ?? .transportFailed(flow))
        }
    }

    private func feed(_ input: LineInput) {
        guard !isClosed else { return }
        inputs.append(input)
        guard !isTelling else { return }
        isTelling = true
        while !inputs.isEmpty {
            for output in machine.handle(inputs.removeFirst(), at: .now()) { perform(output) }
        }
        isTelling = false
        armTimer()
    }

    // MARK: What goes

    private func perform(_ output: LineOutput) {
        switch output {
        case .send(let bytes, let flow): send(bytes, flow)
        case .locate(let hop): locate(hop)
        case .abandon(let flow):
            switch flow.transport {
            case .udp: break
            case .tcp: streams.abandon(.init(remote: flow.remote, opener: flow.opener))
            case .tls: secureStreams.abandon(.init(remote: flow.remote, opener: flow.opener))
            }
        case .dropped(let drop):
            switch drop {
            case .malformed: counters.malformed += 1
            case .unmatchedResponse, .misroutedResponse, .otherFlow: counters.unmatched += 1
            case .stranger: counters.strangers += 1
            case .tooManyTransactions, .tooManyForks: counters.refused += 1
            }
        case .strayKeepAlive: counters.strayKeepAlives += 1
        case .registration, .offered, .refused, .offerSent, .ringing, .earlyMedia, .answered, .memo, .renegotiated,
            .holdSettled, .holdDelayed, .moved, .toneHeard, .tonesSent, .text, .transferSettled, .transferred,
            .referred, .redirected, .watched, .messagesWaiting, .ended, .trace, .turnedAway, .finished:
            tell(output)
        }
    }

    private func send(_ bytes: [UInt8], _ flow: Flow) {
        let remote = flow.remote
        switch flow.transport {
        case .udp:
            let isVersion6 = remote.host.isVersion6
            guard let socket = datagrams.first(where: { $0.host.isVersion6 == isVersion6 })?.socket else {
                return feed(.transportFailed(flow))
            }
            socket.send(bytes, to: remote) { [weak self] in self?.feed(.transportFailed(flow)) }
        case .tcp: send(bytes, flow, over: streams)
        case .tls: send(bytes, flow, over: secureStreams)
        }
    }

    private func send(_ bytes: [UInt8], _ flow: Flow, over streams: Streams) {
        let remote = flow.remote
        // Some peers that are called directly name the address of their connection as their Contact.
        let mayReuse = flow.transport == .tcp && settings.configuration.account == nil
        if flow.opener == .peer || mayReuse, streams.answer(bytes, to: remote) { return }
        guard flow.opener == .us else { return feed(.transportFailed(flow)) }
        streams.send(bytes, to: remote, from: localHost(towards: remote), names: sought[remote] ?? [])
    }

    // MARK: Finding the way

    private func locate(_ hop: Hop) {
        resolver.resolve(hop, [.udp, .tcp, .tls]) { [weak self] in self?.found(hop, $0) }
    }

    private func found(_ hop: Hop, _ targets: [HopSearch.Target]) {
        let flows = targets.compactMap { target -> Flow? in
            let remote = Flow.Endpoint(target.host, target.port)
            guard let flow = flow(target.transport, to: remote) else { return nil }
            if target.transport == .tls { seek(hop, at: remote) }
            return flow
        }
        feed(.located(hop, flows))
    }

    /// Notes whom the certificate at an address must name. Where the account's server is, it is the account's server, and
    /// no other hop that says to lead there changes that.
    private func seek(_ hop: Hop, at remote: Flow.Endpoint) {
        let account = settings.configuration.account
        let home = account.map { [$0.server.host] + ($0.domain == $0.server.host ? [] : [$0.domain]) }
        guard let home, hop != account?.server else {
            sought[remote] = home ?? [hop.host]
            return
        }
        guard sought[remote] != home else { return }
        if sought.count >= Self.soughtLimit { sought = sought.filter { $0.value == home } }
        sought[remote] = [hop.host]
    }

    /// The flow to a far end from the address of ours that leads there; nil without a way.
    private func flow(_ transport: Flow.Transport, to remote: Flow.Endpoint, _ opener: Flow.Opener = .us) -> Flow? {
        localHost(towards: remote).map { host in
            let own = transport == .tls ? securePort ?? port : port
            return Flow(transport, local: .init(host, own), remote: remote, opener: opener)
        }
    }

    /// The own address as the far end will see it before any translation. Nil when there is no way there.
    private func localHost(towards remote: Flow.Endpoint) -> String? {
        let isVersion6 = remote.host.isVersion6
        guard let host = settings.addresses.first(where: { $0.isVersion6 == isVersion6 }) else { return nil }
        guard host == "0.0.0.0" || host == "::" else { return host }
        do throws(SystemSocket.Failure) {
            return try SystemSocket.localHost(towards: remote.host, port: remote.port)
        } catch {
            return nil
        }
    }

    // MARK: The timer

    private func armTimer() {
        let due = isClosed ? nil : machine.deadline
        guard due != timer?.due else { return }
        timer?.scheduled.cancel()
        timer = due.map { due in
            let delay = max(0, (due - .now()).nanoseconds)
            let bound = NIOLoopBound(self, eventLoop: loop)
            return (due, loop.scheduleTask(in: .nanoseconds(delay)) { bound.value.timerFired() })
        }
    }

    private func timerFired() {
        timer = nil
        feed(.deadline)
    }
}

extension LineSettings {
    /// Of the addresses that can be reached from ours.
    fileprivate var family: CInt {
        switch (addresses.contains(where: \.isVersion6), addresses.contains { !$0.isVersion6 }) {
        case (true, true): AF_UNSPEC
        case (true, false): AF_INET6
        case (false, _): AF_INET
        }
    }
}

extension String {
    /// Of a numeric address.
    var isVersion6: Bool { IPAddress(zoned: self)?.isVersion6 ?? false }
}

extension DigestHashes {
    package static let real = DigestHashes(
        md5: { Array(Insecure.MD5.hash(data: $0)) }, sha256: { Array(SHA256.hash(data: $0)) })
}

extension Instant {
    /// CLOCK_MONOTONIC, which every process of the machine shares.
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
