import Base
import Crypto
import Glibc
import LineCore
import NIOCore
import SIPCore

/// One line: its sockets, its connections and its timer around its machine. Confined to its loop.
final class LineHand {
    let port: UInt16
    private(set) var counters = LineCounters()
    private let host: String
    private let loop: any EventLoop
    private let tell: (LineOutput) -> Void
    private var machine: LineMachine
    private var limits = SourceLimits(key: .random(in: .min ... .max))
    private let datagrams: Datagrams
    private let streams: Streams
    private let resolver: Resolver
    /// What is to be told to the machine; more may come while it is told.
    private var inputs: [LineInput] = []
    private var isTelling = false
    private var timer: (due: Instant, scheduled: Scheduled<Void>)?
    private var isClosed = false

    init(_ settings: LineSettings, loop: any EventLoop, tell: @escaping (LineOutput) -> Void) throws(LinesError) {
        let sockets = try ListeningSockets(host: settings.bindAddress, port: settings.port)
        (host, port, self.loop, self.tell) = (settings.bindAddress, sockets.port, loop, tell)
        machine = LineMachine(
            configuration: settings.configuration, makeGenerator: { SystemRandomNumberGenerator() },
            hashes: .real)
        datagrams = Datagrams(sockets.datagram, loop: loop)
        streams = Streams(listening: sockets.stream, loop: loop)
        resolver = Resolver(loop: loop)
    }

    func start() {
        datagrams.start { [weak self] in self?.received($0, .udp, from: $1) }
        streams.start { [weak self] in self?.happened($0) }
        feed(.start)
    }

    func command(_ command: LineCommand) { feed(.command(command)) }

    func close() {
        isClosed = true
        timer?.scheduled.cancel()
        datagrams.close()
        streams.close()
        resolver.close()
    }

    // MARK: What comes

    private func received(_ bytes: [UInt8], _ transport: Flow.Transport, from remote: Flow.Endpoint) {
        // Line breaks are a keep-alive.
        guard bytes.contains(where: { $0 != 0x0D && $0 != 0x0A }) else { return }
        guard limits.admits(remote, machine.acquaintance(with: remote), at: .now()) else {
            counters.limited += 1
            return
        }
        guard bytes.beginsLikeSIP, let local = localHost(towards: remote) else {
            counters.garbage += 1
            return
        }
        feed(.received(bytes, Flow(transport, local: .init(local, port), remote: remote)))
    }

    private func happened(_ event: Streams.Event) {
        switch event {
        case .message(let bytes, let remote): received(bytes, .tcp, from: remote)
        case .broken: counters.garbage += 1
        case .refused: counters.refused += 1
        case .closed(let remote):
            // The own address does not tell connections apart: one is known by its far end.
            guard let local = localHost(towards: remote) else { return }
            feed(.transportFailed(Flow(.tcp, local: .init(local, port), remote: remote)))
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
        case .dropped(let drop):
            switch drop {
            case .malformed: counters.malformed += 1
            case .unmatchedResponse, .misroutedResponse: counters.unmatched += 1
            case .tooManyTransactions: counters.refused += 1
            }
        case .registration, .offered, .offerSent, .ringing, .earlyMedia, .answered, .memo, .renegotiated,
            .holdSettled, .moved, .toneHeard, .tonesSent, .text, .transferSettled, .transferred, .referred, .watched,
            .messagesWaiting, .ended, .trace, .finished:
            tell(output)
        }
    }

    private func send(_ bytes: [UInt8], _ flow: Flow) {
        switch flow.transport {
        case .udp: datagrams.send(bytes, to: flow.remote) { [weak self] in self?.feed(.transportFailed(flow)) }
        case .tcp: streams.send(bytes, to: flow.remote, from: localHost(towards: flow.remote))
        case .tls: feed(.transportFailed(flow))
        }
    }

    // MARK: Finding the way

    private var isIPv6: Bool { host.contains(":") }

    private func locate(_ hop: Hop) {
        if SystemSocket.isNumeric(hop.host, isIPv6: isIPv6) { return found(hop, at: hop.host) }
        guard hop.transport != .tls else { return feed(.located(hop, nil)) }
        resolver.resolve(hop.host, isIPv6: isIPv6) { [weak self] host in
            if let host { self?.found(hop, at: host) } else { self?.feed(.located(hop, nil)) }
        }
    }

    private func found(_ hop: Hop, at host: String) {
        let remote = Flow.Endpoint(host, hop.port)
        guard hop.transport != .tls, let local = localHost(towards: remote) else { return feed(.located(hop, nil)) }
        feed(.located(hop, Flow(hop.transport, local: .init(local, port), remote: remote)))
    }

    /// The own address as the far end will see it before any translation. Nil when there is no way there.
    private func localHost(towards remote: Flow.Endpoint) -> String? {
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

extension DigestHashes {
    package static let real = DigestHashes(
        md5: { Array(Insecure.MD5.hash(data: $0)) }, sha256: { Array(SHA256.hash(data: $0)) })
}

extension [UInt8] {
    /// A message begins with a letter; what does not is not worth a parser.
    var beginsLikeSIP: Bool {
        first { $0 != 0x0D && $0 != 0x0A }.map { (0x41...0x5A).contains($0 & 0xDF) } ?? false
    }
}

extension Instant {
    /// CLOCK_MONOTONIC, which every process of the machine shares.
    static func now() -> Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
