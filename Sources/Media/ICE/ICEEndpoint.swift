import Base
import CALSA  // For poll.h.
import Cryptography
import Glibc
import ICECore
import PhoneCore
import RTPCore

/// Our end of one call's ICE: an agent with sockets and a clock. Only the connector's thread uses it.
final class ICEEndpoint {
    enum Result: Sendable {
        /// The candidates of this phone, to send to the far end.
        case gathered(LocalICE)
        /// Further candidates, to follow the description.
        case candidates(CandidateTrickle.News)
        /// Nil: the far end no longer answers on its path.
        case path(MediaFlow?)
        /// The path is gone or silent, and an ICE restart is worth trying.
        case pathDoubted
        /// The server of this name relays nothing, for this reason.
        case relayEnded(server: String, TURNEnd)
        case failed(String)
    }

    /// How long to wait for servers. Candidates from later answers are used only with trickle ICE.
    private static let patience: Duration = .seconds(1)
    /// Limit of datagrams taken from a socket in one turn.
    private static let burst = 32
    /// Limit of handshake datagrams kept until the handshake begins here: a first flight, and some from strangers.
    private static let earlyLimit = 8

    let connectivity: Connectivity
    /// Whether the network thread reads the sockets.
    var isAttached = false
    /// Whether the call holds nothing on any server any more.
    private(set) var isClosed = false
    private var agent: ICEAgent
    /// Our addresses, under the numbers of the agent's sockets.
    private var places = HostPlaces<TransportAddress>()
    /// When to report the candidates at the latest. Nil: they were reported.
    private var tellBy: Instant?
    /// Whether the first report may be incomplete.
    private var isTrickling = false
    private var path: MediaFlow?
    /// The negotiated session. Nil: none yet.
    private var session: NegotiatedMedia.ICESession?
    /// Whether candidates use the port that is meant for RTCP.
    private var usesControlPort = false
    private var hasGathered = false
    private var trickle = CandidateTrickle()
    private var relays = RelayedCandidateWait()
    /// The addresses of the far end's candidates.
    private var named: [TransportAddress] = []
    private var results: [Result] = []
    private var early: [DTLSEndpoint.Datagram] = []
    private let servers: [ICEServerAddress]
    /// Connections to TURN servers.
    private var streams: [TURNConnection] = []
    private let networkWake: @Sendable () -> Void

    /// - Parameters:
    ///   - servers: The addresses of the call's servers.
    ///   - networkWake: Wakes the network thread.
    init(
        _ connectivity: Connectivity, isControlling: Bool, servers: [ICEServerAddress],
        networkWake: @escaping @Sendable () -> Void
    ) {
        self.connectivity = connectivity
        self.servers = servers
        self.networkWake = networkWake
        let configuration = ICEAgent.Configuration(
            policy: connectivity.settings.policy == .relayed ? .relay : .all,
            stunServers: servers.filter { $0.relay.map { $0.transport == .udp } ?? true }.map(\.address),
            turnServers: servers.compactMap(\.turnServer))
        agent = ICEAgent(
            configuration, role: isControlling ? .controlling : .controlled, hashes: .real,
            generator: SystemRandomNumberGenerator())
    }

    /// Whether a datagram may come from the far end: its sender is a candidate's address, or the selected path's.
    func knows(_ sender: TransportAddress) -> Bool { named.contains(sender) || path?.remote == sender }

    /// Whether a datagram can be sent to the far end.
    var hasPath: Bool { path != nil }

    var due: Instant? { Instant.earliest(agent.deadline, tellBy, relays.retryAt) }

    /// The descriptors for poll: its sockets as long as only the connector reads them, and its streams.
    var waiting: [pollfd] {
        let own = pollfd(fd: connectivity.sockets.voice, events: Int16(POLLIN), revents: 0)
        return (isAttached ? [] : [own]) + streams.map(\.waiting)
    }

    // MARK: Orders to the connector

    /// Gathers this phone's candidates, for the first time or again.
    func gather(at now: Instant) {
        let sockets = hostSockets()
        // In a connected call all candidates are sent together, because one description replaces another.
        isTrickling = connectivity.settings.mayTrickle && !hasGathered
        trickle.stop()
        tellBy = isTrickling ? now : now + Self.patience
        relays.begin(isDemanded: connectivity.settings.policy == .relayed, at: now)
        handle(hasGathered ? .restart(sockets) : .gather(sockets), at: now)
        hasGathered = true
    }

    /// Our current addresses, as sockets of the agent.
    private func hostSockets() -> [HostSocket] {
        var bound = connectivity.sockets.bound
        if usesControlPort { bound.port += 1 }
        places.take(HostAddresses.reaching(bound, isIPv6: connectivity.sockets.isIPv6))
        return places.all.map { HostSocket(SocketID(rawValue: $0.number), $0.address) }
    }

    /// Both ends have agreed on these candidates. A gathered session that was never sent to the far end is dropped in
    /// favour of the agreed one.
    /// - Parameter isOther: Whether this far end differs from the previous one.
    func negotiate(_ session: NegotiatedMedia.ICESession, isOther: Bool, at now: Instant) {
        guard let ours = ICECredentials(session.local), let theirs = ICECredentials(session.remote) else { return }
        guard session != self.session || ours != agent.localCredentials || isOther else { return }
        self.session = session
        if usesControlPort != session.usesControlPort ?? false {
            usesControlPort.toggle()
            handle(.restart(hostSockets()), at: now)
        }
        if ours != agent.localCredentials { handle(.renew(ours), at: now) }
        let candidates = session.remote.candidates.compactMap { try? RemoteCandidate($0) }
        let description = RemoteDescription(
            credentials: theirs, isLite: session.remote.isLite, candidates: candidates, isComplete: true)
        named = candidates.compactMap { $0.address?.unmapped }
        handle(.remote(description), at: now)
        if isOther { handle(.leavePrevious, at: now) }
    }

    func send(_ datagram: [UInt8], at now: Instant) { handle(.send(datagram), at: now) }

    /// Releases what servers hold for the call.
    func close(at now: Instant) { handle(.close, at: now) }

    /// The far end's handshake datagrams that came before the call had terms here. If they were dropped, the far end
    /// would repeat them only after its timeout.
    func takeEarly() -> [DTLSEndpoint.Datagram] {
        defer { early = [] }
        return early
    }

    /// Reads the sockets while only the connector does: ICE's checks and responses, and the beginning of a handshake.
    /// Voice is dropped.
    func read(_ buffer: inout MutableSpan<UInt8>, at now: Instant) {
        for _ in 0..<Self.burst {
            let sockets = connectivity.sockets
            let next = MediaSockets.receive(on: sockets.voice, port: sockets.port, into: &buffer)
            guard let arrival = next else { return }
            let datagram = buffer.span.extracting(0..<arrival.count)
            switch MuxedPacket(classifying: datagram) {
            case .stun, .turnChannel:
                guard let local = arrival.local else { continue }
                take(datagram, .init(sender: arrival.sender, local: local), at: now)
            case .dtls:
                guard early.count < Self.earlyLimit else { continue }
                early.append(.init(sender: arrival.sender, bytes: datagram.indices.map { datagram[$0] }))
            case .rtp, .rtcp, .unknown: continue
            }
        }
    }

    private func take(_ datagram: Span<UInt8>, _ arrival: Connectivity.Arrival, at now: Instant) {
        guard let place = place(of: arrival.local) else { return }
        handle(
            .received(datagram.indices.map { datagram[$0] }, on: SocketID(rawValue: place), from: arrival.sender),
            at: now)
    }

    /// Answers received datagrams, and does what is due.
    func serve(at now: Instant) -> [Result] {
        while connectivity.arrivals.pop({ take($1, $0, at: now) }) {}
        while connectivity.outgoing.pop({ _, packet in handle(.send(packet.indices.map { packet[$0] }), at: now) }) {}
        while connectivity.outgoingReports.pop({ _, packet in
            handle(.send(packet.indices.map { packet[$0] }), at: now)
        }) {}
        serveStreams(at: now)
        if let due = agent.deadline, due <= now { handle(.deadline, at: now) }
        if let tellBy, agent.isGatheringComplete || tellBy <= now { tell(at: now) }
        if let retryAt = relays.retryAt, retryAt <= now { gather(at: now) }
        if let news = trickle.take() { results.append(.candidates(news)) }
        defer { results = [] }
        return results
    }

    // MARK: Effects of the agent

    private func handle(_ event: ICEAgent.Event, at now: Instant) {
        for effect in agent.handle(event, at: now) { carryOut(effect, at: now) }
    }

    private func carryOut(_ effect: ICEAgent.Effect, at now: Instant) {
        switch effect {
        case .transmit(let bytes, let socket, let receiver):
            guard let place = places.address(of: socket.rawValue) else { return }
            let sockets = connectivity.sockets
            _ = sockets.send(bytes.span, on: sockets.descriptor(at: place), to: receiver.unmapped, from: place)
        case .openStream(let stream, let server): open(stream, to: server, at: now)
        case .write(let bytes, let id): streams.first { $0.id == id }?.write(bytes)
        case .closeStream(let id):
            streams.first { $0.id == id }?.close()
            streams.removeAll { $0.id == id }
        case .candidate(let candidate): trickle.find(candidate.text)
        case .endOfCandidates: trickle.end()
        // Names in `.local` need multicast DNS, which this phone does not do.
        case .resolve(let name): handle(.resolved(name, []), at: now)
        case .path(let path): take(path)
        case .restartAdvised:
            relays.doubtPath()
            results.append(.pathDoubted)
        case .relayEnded(let server, let why):
            let host = servers.first { $0.turnServer == server }?.host
            if let host, relays.note(why, of: host) { results.append(.relayEnded(server: host, why)) }
        case .state(.failed): results.append(.failed("ICE found no path to the far end"))
        case .state: break
        case .received(let packet):
            if connectivity.incoming.push(now.nanoseconds, copying: packet.span) { networkWake() }
        case .closed: isClosed = true
        }
    }

    private func open(_ id: StreamID, to server: TURNServer, at now: Instant) {
        let known = servers.first { $0.turnServer == server }
        // Without its authorities no server's certificate can be verified.
        let context =
            server.transport == .tls ? try? TLSContext(.client, trust: connectivity.settings.trust) : nil
        guard let known, (context == nil) == (server.transport != .tls),
            let stream = TURNConnection(id, to: known, context)
        else { return handle(.streamClosed(id), at: now) }
        streams.append(stream)
    }

    private func serveStreams(at now: Instant) {
        for stream in streams {
            for event in stream.serve() {
                switch event {
                case .opened: handle(.streamOpened(stream.id), at: now)
                case .received(let bytes): handle(.streamReceived(bytes, stream.id), at: now)
                case .closed:
                    streams.removeAll { $0.id == stream.id }
                    handle(.streamClosed(stream.id), at: now)
                }
            }
        }
    }

    private func take(_ found: SelectedPair?) {
        let next = found.flatMap(mediaFlow)
        guard next != path else { return }
        path = next
        if let next { relays.use(next) }
        results.append(.path(next))
    }

    private func mediaFlow(_ pair: SelectedPair) -> MediaFlow? {
        let remote = pair.remote.unmapped
        switch pair.route {
        case .socket(let socket):
            guard let place = places.address(of: socket.rawValue) else { return nil }
            return MediaFlow(remote: remote, local: place, isRelayed: false)
        case .turnDatagram, .turnStream:
            return MediaFlow(remote: remote, local: connectivity.sockets.bound, isRelayed: true)
        }
    }

    private func place(of local: TransportAddress) -> Int? {
        places.all.first { $0.address == local }?.number
    }

    private func tell(at now: Instant) {
        tellBy = nil
        let candidates = agent.localCandidates
        guard !relays.holdsBack(candidates, at: now) else { return }
        let isRelayed = connectivity.settings.policy == .relayed
        let only = candidates.first.map { MediaAddress(host: $0.address.address.text, port: $0.address.port) }
        guard !isRelayed || only != nil else {
            return results.append(.failed(relays.reason(servers)))
        }
        let isIncomplete = isTrickling && !agent.isGatheringComplete
        if isIncomplete { trickle.begin(after: candidates.map(\.text)) }
        let description = ICEDescription(agent.localCredentials, candidates: candidates.map(\.text))
        results.append(
            .gathered(
                .init(
                    description, isOffered: connectivity.settings.policy != .answered,
                    onlyAddress: isRelayed ? only : nil, isIncomplete: isIncomplete ? true : nil)))
    }
}

extension ICESettings {
    fileprivate var trust: TLSContext.Trust { authorities.map { .authorities(file: $0) } ?? .system }
}

extension RemoteCandidate {
    /// Nil if it has a host name instead of an address.
    fileprivate var address: TransportAddress? {
        if case .address(let host) = host { TransportAddress(host, port) } else { nil }
    }
}
