import Base
import CALSA  // For poll.h, which it brings.
import Cryptography
import Glibc
import ICECore
import PhoneCore
import RTPCore

/// Our end of one call's ICE: an agent with sockets and a clock. Only the connector's thread uses it.
final class ICEEndpoint {
    enum Result: Sendable {
        /// The candidates of this phone, to be told to the far end.
        case gathered(PhoneCore.LocalICE)
        /// Others that follow what was told.
        case candidates(CandidateTrickle.News)
        /// Nil: the far end does not answer on the path there was.
        case path(MediaFlow?)
        /// The path is gone or silent, and another one is worth looking for.
        case pathDoubted
        /// The server of this name relays nothing, for this reason.
        case relayEnded(server: String, TURNEnd)
        case failed(String)
    }

    /// How long servers are waited for. What they tell later is told only where candidates trickle.
    private static let patience: Duration = .seconds(1)
    /// Datagrams that are taken from a socket at a time.
    private static let burst = 32
    /// Datagrams of a handshake that are kept until it begins here: a first flight, and some of strangers.
    private static let earlyLimit = 8

    let connectivity: Connectivity
    /// Whether the network thread reads the sockets.
    var isAttached = false
    /// Whether no server keeps anything for the call any more.
    private(set) var isClosed = false
    private var agent: ICEAgent
    /// Our addresses, by the numbers of the agent's sockets.
    private var places = HostPlaces<PeerAddress>()
    /// When the candidates are told at the latest. Nil: they were told.
    private var tellBy: Instant?
    /// Whether what is told need not be all.
    private var isTrickling = false
    private var path: MediaFlow?
    /// The agreed session. Nil: none is agreed on yet.
    private var session: NegotiatedMedia.ICESession?
    /// Whether candidates have the port that is meant for reports.
    private var usesControlPort = false
    private var hasGathered = false
    private var trickle = CandidateTrickle()
    private var relays = RelayedCandidateWait()
    /// Where the far end says that it is.
    private var named: [PeerAddress] = []
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

    /// Whether a datagram may be the far end's: it comes from where the far end says that it is, or has proven to be.
    func knows(_ sender: PeerAddress) -> Bool { named.contains(sender) || path?.remote == sender }

    /// Whether a datagram for the far end has somewhere to go.
    var hasPath: Bool { path != nil }

    var due: Instant? { Instant.earliest(agent.deadline, tellBy, relays.retryAt) }

    /// What it waits for, for poll: its sockets as long as nobody else reads them, and its streams.
    var waiting: [pollfd] {
        let own = pollfd(fd: connectivity.sockets.voice, events: Int16(POLLIN), revents: 0)
        return (isAttached ? [] : [own]) + streams.map(\.waiting)
    }

    // MARK: What the connector is told

    /// Gathers the candidates of this phone, for the first time or anew.
    func gather(at now: Instant) {
        let sockets = hostSockets()
        // A call that is up is told everything at once: one description takes the place of another.
        isTrickling = connectivity.settings.mayTrickle && !hasGathered
        trickle.stop()
        tellBy = isTrickling ? now : now + Self.patience
        relays.begin(isDemanded: connectivity.settings.policy == .relayed, at: now)
        handle(hasGathered ? .restart(sockets) : .gather(sockets), at: now)
        hasGathered = true
    }

    /// Our addresses of now, as sockets of the agent.
    private func hostSockets() -> [HostSocket] {
        var bound = connectivity.sockets.bound
        if usesControlPort { bound.port += 1 }
        places.take(HostAddresses.reaching(bound, isIPv6: connectivity.sockets.isIPv6))
        return places.all.compactMap { place in
            place.address.transportAddress.map { HostSocket(SocketID(rawValue: place.number), $0) }
        }
    }

    /// Both ends' candidates are agreed on, or others than before. A session that was gathered for, and that the far end was
    /// not told, is left for the agreed one.
    /// - Parameter isOther: Whether the far end is another one than before.
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
        named = candidates.compactMap { $0.address.flatMap(PeerAddress.init) }
        handle(.remote(description), at: now)
        if isOther { handle(.leavePrevious, at: now) }
    }

    func send(_ datagram: [UInt8], at now: Instant) { handle(.send(datagram), at: now) }

    /// Gives back what servers keep for the call.
    func close(at now: Instant) { handle(.close, at: now) }

    /// What the far end has begun a handshake with before the call had terms here. Dropped, it would come again late.
    func takeEarly() -> [DTLSEndpoint.Datagram] {
        defer { early = [] }
        return early
    }

    /// Takes what has come at the sockets while nobody else reads them: questions and answers of ICE, and what begins a
    /// handshake; no voice.
    func read(_ buffer: inout MutableSpan<UInt8>, at now: Instant) {
        for _ in 0..<Self.burst {
            guard let arrival = MediaSockets.receive(on: connectivity.sockets.voice, into: &buffer) else { return }
            let datagram = buffer.span.extracting(0..<arrival.count)
            switch MuxedPacket(classifying: datagram) {
            case .stun, .turnChannel:
                guard var local = arrival.local else { continue }
                local.port = connectivity.sockets.port
                take(datagram, .init(sender: arrival.sender, local: local), at: now)
            case .dtls:
                guard early.count < Self.earlyLimit else { continue }
                early.append(.init(sender: arrival.sender, bytes: datagram.indices.map { datagram[$0] }))
            case .rtp, .rtcp, .unknown: continue
            }
        }
    }

    private func take(_ datagram: Span<UInt8>, _ arrival: Connectivity.Arrival, at now: Instant) {
        guard let place = place(of: arrival.local), let source = arrival.sender.transportAddress else { return }
        handle(.received(datagram.indices.map { datagram[$0] }, on: SocketID(rawValue: place), from: source), at: now)
    }

    /// Answers what has come, and does what is due.
    func serve(at now: Instant) -> [Result] {
        while connectivity.arrivals.pop({ take($1, $0, at: now) }) {}
        while connectivity.outgoing.pop({ _, packet in handle(.send(packet.indices.map { packet[$0] }), at: now) }) {}
        serveStreams(at: now)
        if let due = agent.deadline, due <= now { handle(.deadline, at: now) }
        if let tellBy, agent.isGatheringComplete || tellBy <= now { tell(at: now) }
        if let retryAt = relays.retryAt, retryAt <= now { gather(at: now) }
        if let news = trickle.take() { results.append(.candidates(news)) }
        defer { results = [] }
        return results
    }

    // MARK: What the agent wants

    private func handle(_ event: ICEAgent.Event, at now: Instant) {
        for effect in agent.handle(event, at: now) { carryOut(effect, at: now) }
    }

    private func carryOut(_ effect: ICEAgent.Effect, at now: Instant) {
        switch effect {
        case .transmit(let bytes, let socket, let receiver):
            guard let peer = PeerAddress(receiver), let place = places.address(of: socket.rawValue) else { return }
            let sockets = connectivity.sockets
            _ = sockets.send(bytes.span, on: sockets.descriptor(at: place), to: peer, from: place)
        case .openStream(let stream, let server): open(stream, to: server, at: now)
        case .write(let bytes, let id): streams.first { $0.id == id }?.write(bytes)
        case .closeStream(let id):
            streams.first { $0.id == id }?.close()
            streams.removeAll { $0.id == id }
        case .candidate(let candidate): trickle.find(candidate.text)
        case .endOfCandidates: trickle.end()
        // Names of `.local` are for links whose members answer by multicast; this phone skips them.
        case .resolve(let name): handle(.resolved(name, []), at: now)
        case .path(let path): take(path)
        case .restartAdvised:
            relays.doubtPath()
            results.append(.pathDoubted)
        case .relayEnded(let server, let why):
            let host = servers.first { $0.turnServer == server }?.host
            if let host, relays.note(why, of: host) { results.append(.relayEnded(server: host, why)) }
        case .state(.failed): results.append(.failed("no path to the far end was found"))
        case .state: break
        case .received(let packet):
            if connectivity.incoming.push(0, payload: packet.span) { networkWake() }
        case .closed: isClosed = true
        }
    }

    private func open(_ id: StreamID, to server: TURNServer, at now: Instant) {
        let known = servers.first { $0.turnServer == server }
        // Without its authorities nobody can be believed.
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
        guard let remote = PeerAddress(pair.remote) else { return nil }
        switch pair.route {
        case .socket(let socket):
            guard let place = places.address(of: socket.rawValue) else { return nil }
            return MediaFlow(remote: remote, local: place, isRelayed: false)
        case .turnDatagram, .turnStream:
            return MediaFlow(remote: remote, local: connectivity.sockets.bound, isRelayed: true)
        }
    }

    private func place(of local: PeerAddress) -> Int? {
        places.all.first { $0.address.isSameHost(as: local) && $0.address.port == local.port }?.number
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
        let credentials = agent.localCredentials
        let description = PhoneCore.ICEDescription(
            userFragment: credentials.userFragment, password: SecretBytes(Array(credentials.password.reveal().utf8)),
            candidates: candidates.map(\.text))
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

extension ICECredentials {
    /// Nil when they do not follow RFC 8839 §5.4.
    fileprivate init?(_ description: PhoneCore.ICEDescription) {
        let password = unsafe description.password.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        self.init(userFragment: description.userFragment, password: Redacted(password))
    }
}
