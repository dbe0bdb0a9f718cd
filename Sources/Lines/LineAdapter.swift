import Base
import Cryptography
import Glibc
import ICECore
import LineCore
import NIOCore
import Platform
import SIPCore

/// The adapter of one line: its sockets, its connections and its timer around the `SignallingLine`. Confined to its
/// loop.
final class LineAdapter {
    private var counted = LineCounters()
    private let settings: LineSettings
    private let loop: any EventLoop
    private let tell: (LineOutput) -> Void
    private let report: (String) -> Void
    private var machine: any SignallingLine
    /// Limits reports of refused connections. Unknown sources may open too many to report each one.
    private var told = RateLimit(burst: 10, interval: .seconds(30))
    private var limits = SourceLimits(key: .random(in: .min ... .max))
    private let resolver: Resolver
    private var sockets: LineSockets?
    private var routeWatch: RouteWatch?
    /// By address, the names of which the far end's certificate must hold one. They come from the hops that led to the
    /// address.
    private var sought: [Flow.Endpoint: [String]] = [:]
    /// Inputs that wait for the machine. The outputs of one input may add more.
    private var inputs: [LineInput] = []
    private var isTelling = false
    private var timer: (due: Instant, scheduled: Scheduled<Void>)?
    private var reachability = LineReachability()
    private var isClosed = false

    /// The most addresses whose names are remembered.
    private static let soughtLimit = 64

    /// - Parameters:
    ///   - offeredBefore: How many calls former adapters of the same line were offered.
    ///   - slept: How long the machine has slept in total.
    ///   - report: Called with texts for a person who looks for a fault.
    init(
        _ settings: LineSettings, offeredBefore: UInt32 = 0, loop: any EventLoop, budgets: LineBudgets,
        slept: @escaping () -> Duration,
        tell: @escaping (LineOutput) -> Void,
        report: @escaping (String) -> Void
    ) throws(LinesError) {
        (self.settings, self.loop, self.tell, self.report) = (settings, loop, tell, report)
        machine = Self.machine(settings.configuration, offeredBefore: offeredBefore)
        resolver = Resolver(DNSClient(servers: settings.nameServers, family: settings.family), loop: loop)
        let sockets = try LineSockets(settings, loop: loop, budgets: budgets) { [weak self] in self?.heard($0) }
        self.sockets = sockets
        routeWatch = RouteWatch(
            loop: loop,
            own: { (remote) throws(SystemSocket.Failure) in try sockets.localAddress(towards: remote) },
            slept: slept, changed: { [weak self] in self?.feed(.networkChanged) })
    }

    private static func machine(_ configuration: LineConfiguration, offeredBefore: UInt32) -> any SignallingLine {
        guard configuration.account?.verto == nil else {
            return VertoLine(
                configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() },
                offeredBefore: offeredBefore)
        }
        return LineMachine(
            configuration: configuration, makeGenerator: { SystemRandomNumberGenerator() }, hashes: .real,
            offeredBefore: offeredBefore)
    }

    var counters: LineCounters {
        var counters = counted
        counters.reopenings = sockets?.reopenings ?? 0
        return counters
    }

    var port: UInt16 { sockets?.port ?? settings.port }
    /// The port at which peers reach the line over TLS. Nil: no such port.
    var securePort: UInt16? { sockets?.securePort }

    func start() {
        sockets?.start { [weak self] in self?.machine.acquaintance(with: $0) ?? .stranger }
        if let fault = sockets?.securityFault {
            report("\(fault); it is read again when a connection needs it, and until then TLS does not work")
        }
        if settings.configuration.account != nil { routeWatch?.start() }
        feed(.start)
    }

    /// Reacts to a change of the machine's network.
    func networkStirred() {
        routeWatch?.stirred()
        sockets?.networkStirred()
    }

    func close() {
        isClosed = true
        timer?.scheduled.cancel()
        routeWatch?.stop()
        sockets?.close()
        resolver.close()
    }

    // MARK: Receiving

    private func heard(_ event: LineSockets.Event) {
        switch event {
        case .datagram(let bytes, let remote):
            // CRLF and zeros only keep address translations (NAT) alive. Over UDP they need no answer.
            guard bytes.contains(where: { $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else { return }
            received(bytes, from: remote, mayBegin: SIPMessage.mayBegin(bytes) || STUNMessage.mayBegin(bytes)) {
                // A message from an address that no host can have cannot be answered.
                remote.isSomebody ? flow(from: remote) : nil
            }
        case .stream(let event): heard(event)
        case .opened:
            tellReachability()
            feed(.networkChanged)
        case .reading(let isRead, let name): reading(isRead, name)
        }
    }

    /// Records that a socket is no longer read, or is read again.
    private func reading(_ isRead: Bool, _ name: String) {
        guard !isClosed else { return }
        reachability.read(isRead, name)
        report(isRead ? "\(name) is read again" : LineReachability.fault(of: name) + ", and is opened again")
        tellReachability()
    }

    private func heard(_ event: Streams.Event) {
        switch event {
        case .message(let bytes, let flow), .broken(let bytes, let flow):
            received(bytes, from: flow.remote, mayBegin: machine.mayBegin(bytes)) { flow }
        case .pong(let flow): feed(.received([0x0D, 0x0A], flow))
        case .skipped(let length, let flow):
            counted.oversized += 1
            guard told.admit(at: MonotonicClock.now()) else { return }
            report(
                "the server at \(flow.remote.host) sent a message of \(length) bytes, which was skipped: it is too long"
            )
        case .refused: counted.refused += 1
        case .closed(let flow, let fault):
            if let fault, fault.isDistrust { distrusted(flow, fault) }
            if case .local = fault { routeWatch?.refused(to: flow.remote) }
            feed(.transportFailed(flow, because: fault?.text))
        case .listening(let isRead, let port): reading(isRead, "the listener at port \(port)")
        }
    }

    private func distrusted(_ flow: Flow, _ fault: StreamFault) {
        counted.untrusted += 1
        // The line's registration state already reports why our own connection failed.
        guard flow.opener == .peer, told.admit(at: MonotonicClock.now()) else { return }
        let remote = flow.remote
        report("a connection from \(remote.host) port \(remote.port) was refused: \(fault.callerText)")
    }

    /// - Parameter flow: Finds the flow for answers. Nil: the message cannot be answered. Called only for an admitted
    ///   message, because it costs more than all checks before it.
    private func received(_ bytes: [UInt8], from remote: Flow.Endpoint, mayBegin: Bool, over flow: () -> Flow?) {
        guard limits.admits(remote, machine.acquaintance(with: remote), at: MonotonicClock.now()) else {
            counted.limited += 1
            return
        }
        guard mayBegin, let flow = flow() else {
            counted.garbage += 1
            return
        }
        feed(.received(bytes, flow))
    }

    private func tellReachability() {
        reachability.closed = sockets?.fault
        tell(.event(.registration(settings.configuration.id, reachability.state)))
    }

    /// Hands an input to the machine and carries out its outputs.
    func feed(_ input: LineInput) {
        guard !isClosed else { return }
        if case .command(.reconnect) = input { routeWatch?.begun() }
        inputs.append(input)
        guard !isTelling else { return }
        isTelling = true
        while !inputs.isEmpty {
            for output in machine.handle(inputs.removeFirst(), at: MonotonicClock.now()) {
                switch output {
                case .send(let bytes, let flow): send(bytes, flow)
                case .lookUp(let question):
                    resolver.ask(question) { [weak self] in self?.feed(.lookedUp(question, $0)) }
                case .locate(let hop, let targets): locate(hop, targets)
                case .ask(let query): sockets?.ask(query: query)
                case .abandon(let flow): sockets?.streams(of: flow.transport)?.abandon(flow)
                case .dropped(let drop):
                    switch drop {
                    case .malformed: counted.malformed += 1
                    case .unmatchedResponse, .misroutedResponse, .otherFlow: counted.unmatched += 1
                    case .stranger: counted.strangers += 1
                    case .tooManyTransactions, .tooManyForks: counted.refused += 1
                    }
                case .strayKeepAlive: counted.strayKeepAlives += 1
                case .event(.registration(_, let state)):
                    reachability.registration = state
                    tellReachability()
                case .event, .trace, .remark, .turnedAway, .trust, .finished: tell(output)
                }
            }
        }
        isTelling = false
        armTimer()
    }

    // MARK: Sending

    private func send(_ bytes: [UInt8], _ flow: Flow) {
        let remote = flow.remote
        guard let streams = sockets?.streams(of: flow.transport) else {
            do throws(LineSockets.Refusal) {
                try sockets?.send(bytes, to: remote)
            } catch {
                counted.unsent += 1
                routeWatch?.refused(to: remote)
                feed(.unsent(bytes, because: error.text))
            }
            return
        }
        // Some peers without a server put the address of their connection into their Contact.
        let mayReuse = flow.transport == .tcp && settings.configuration.account == nil
        if flow.opener == .peer || mayReuse, streams.answer(bytes, to: remote) { return }
        guard flow.opener == .us, remote.isSomebody else { return feed(.transportFailed(flow)) }
        streams.send(
            bytes, over: flow, from: try? sockets?.localAddress(towards: remote), names: sought[remote] ?? [],
            fromOwnPort: settings.sockets == [.reserve])
    }

    // MARK: Locating servers

    private func locate(_ hop: NextHop, _ targets: [HopSearch.Target]) {
        var why: String?
        let flows = targets.compactMap { target -> Flow? in
            let remote = target.remote
            do throws(SystemSocket.Failure) {
                guard let sockets, remote.isSomebody else { throw SystemSocket.Failure(code: EADDRNOTAVAIL) }
                let own = target.transport.isSecure ? securePort ?? port : port
                let local = Flow.Endpoint(try sockets.localAddress(towards: remote), own)
                if target.transport.isSecure || target.transport.isWebSocket { seek(hop, at: remote) }
                return Flow(target.transport, local: local, remote: remote)
            } catch {
                why = why ?? "this machine has no route to \(remote.host): \(error.text)"
                return nil
            }
        }
        let isMissed = flows.isEmpty && machine.hasSessionFlow
        if hop == settings.configuration.account?.server, !isMissed { routeWatch?.found(flows.map(\.remote)) }
        feed(.located(hop, flows, because: flows.isEmpty ? sockets?.fault ?? why : nil))
    }

    /// Remembers the names of which the certificate at an address must hold one. At an address of the account's server
    /// these are always the server's names, even if another hop leads to it.
    private func seek(_ hop: NextHop, at remote: Flow.Endpoint) {
        let account = settings.configuration.account
        let home = account?.certificateNames
        guard let home, hop != account?.server else {
            sought[remote] = home ?? [hop.host]
            return
        }
        guard sought[remote] != home else { return }
        if sought.count >= Self.soughtLimit { sought = sought.filter { $0.value == home } }
        sought[remote] = [hop.host]
    }

    /// The flow of a datagram. Nil without a route back.
    private func flow(from remote: Flow.Endpoint) -> Flow? {
        sockets?.address(of: remote).map { Flow(.udp, local: .init($0, port), remote: remote) }
    }

    // MARK: The timer

    private func armTimer() {
        let due = isClosed ? nil : machine.deadline
        guard due != timer?.due else { return }
        timer?.scheduled.cancel()
        timer = due.map { due in
            let delay = max(0, (due - MonotonicClock.now()).nanoseconds)
            let bound = NIOLoopBound(self, eventLoop: loop)
            return (due, loop.scheduleTask(in: .nanoseconds(delay)) { bound.value.timerFired() })
        }
    }

    private func timerFired() {
        timer = nil
        routeWatch?.timePassed()
        feed(.deadline)
    }
}

extension LineSockets.Refusal {
    fileprivate var text: String {
        switch self {
        case .nobody: "no host can have its address"
        case .closed(let text): text
        case .system(let failure): "this machine cannot send: \(failure.text)"
        }
    }
}

extension LineSettings {
    /// The address family that the line's own addresses can reach.
    fileprivate var family: CInt {
        switch (addresses.contains(where: \.isVersion6), addresses.contains { !$0.isVersion6 }) {
        case (true, true): AF_UNSPEC
        case (true, false): AF_INET6
        case (false, _): AF_INET
        }
    }
}

extension DigestHashes {
    package static let real = DigestHashes(
        md5: Digest.md5, sha256: Digest.sha256, sha512256: Digest.sha512256)
}

extension LineConfiguration.Account {
    /// The names of which the certificate of the account's server must hold one (RFC 5922 §7.1).
    var certificateNames: [String] { [server.host] + (domain == server.host ? [] : [domain]) }
}

extension String {
    /// Whether a numeric address is an IPv6 address.
    var isVersion6: Bool { IPAddress(zoned: self)?.isVersion6 ?? false }
}
