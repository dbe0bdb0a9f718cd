import Base

/// Finds the media path between two telephones, and keeps it (RFC 8445, 8838, 8421, 7675, 8863).
///
/// A value without a clock and without a socket. It gathers candidates from STUN and TURN servers, checks pairs, and
/// agrees with the far end on one. It asks for consent as long as media flow. On new addresses it starts over while
/// media use the old path. There is one component: RTP and RTCP share it (RFC 5761), and there is one medium.
///
/// The owner carries out the effects in their order, passes on what arrives, and calls the agent at its `deadline`.
public struct ICEAgent: Sendable {
    public struct Configuration: Sendable {
        /// The candidates that the agent uses and shows to the far end.
        public enum Policy: Equatable, Sendable {
            case all
            /// Only candidates from TURN servers, which hide our addresses.
            case relay
        }

        public var policy: Policy
        /// STUN servers. The first `ICETiming.serverLimit` are asked.
        public var stunServers: [TransportAddress]
        public var turnServers: [TURNServer]

        public init(policy: Policy = .all, stunServers: [TransportAddress] = [], turnServers: [TURNServer] = []) {
            (self.policy, self.stunServers, self.turnServers) = (policy, stunServers, turnServers)
        }
    }

    enum Life: Equatable, Sendable { case new, running, closing, closed }

    /// Release of candidates that are no longer needed.
    enum Release: Equatable, Sendable {
        case notYet, done
        case due(Instant)
    }

    let configuration: Configuration
    let hashes: STUNHashes
    var generator: any RandomNumberGenerator & Sendable
    var life = Life.new
    var sockets: [HostSocket] = []
    var gathering: Gathering
    var checks: ConnectivityChecks
    /// The session before the restart, whose path is used until there is a new one.
    var previous: ConnectivityChecks?
    /// The time of the last restart. Until `trialEndsAt`, the old path is used even if it has not answered since then.
    var renewedAt = Instant.zero
    var trialEndsAt: Instant?
    var release = Release.notYet
    private var paceAt: Instant?
    /// The last reports to the owner.
    private var told: (path: SelectedPair?, trouble: PathTrouble, state: ICEState) = (nil, .none, .new)
    var ownCensus = ICECensus()
    var effects: [Effect] = []

    /// - Parameter role: Controlling for the side that made the offer (RFC 8445 §6.1.1). If the far end only answers
    ///   checks, the role changes.
    public init(
        _ configuration: Configuration, role: ICERole, hashes: STUNHashes,
        generator: any RandomNumberGenerator & Sendable
    ) {
        var generator = generator
        (self.configuration, self.hashes) = (configuration, hashes)
        checks = ConnectivityChecks(
            ICECredentials(using: &generator), role: role,
            tieBreaker: .random(in: .min ... .max, using: &generator), hashes: hashes,
            generator: SaltedGenerator(&generator))
        self.generator = generator
        gathering = Gathering(configuration)
    }

    // MARK: Our description

    public var localCredentials: ICECredentials { checks.local }
    public var localCandidates: [Candidate] { offered.map(\.candidate) }
    public var isGatheringComplete: Bool { checks.isLocalComplete }
    public var role: ICERole { checks.role }

    /// The local candidates that the far end may see.
    private var offered: [LocalCandidate] { checks.locals.filter { $0.candidate.kind != .peerReflexive } }

    // MARK: Events and deadlines

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch (life, event) {
        case (.new, .gather(let sockets)): open(sockets, at: now)
        case (.running, .restart(let sockets)): restart(on: sockets, at: now)
        case (.running, .renew(let new)): renew(new, at: now)
        case (.new, .remote(let description)), (.running, .remote(let description)): learn(description, at: now)
        case (.new, .remoteCandidate(let candidate)), (.running, .remoteCandidate(let candidate)):
            learn(candidate, at: now)
        case (.new, .endOfRemoteCandidates), (.running, .endOfRemoteCandidates): checks.isRemoteComplete = true
        case (.new, .resolved(let name, let addresses)), (.running, .resolved(let name, let addresses)):
            resolved(name, addresses, at: now)
        case (.running, .received(let bytes, let socket, let source)):
            received(bytes, on: socket, from: source, at: now)
        // Allocations that are being released still need their answers.
        case (.closing, .received(let bytes, let socket, let source)):
            receivedByRelays(bytes, on: socket, from: source, at: now)
        case (.running, .streamOpened(let stream)), (.closing, .streamOpened(let stream)): opened(stream, at: now)
        case (.running, .streamReceived(let bytes, let stream)), (.closing, .streamReceived(let bytes, let stream)):
            received(bytes, on: stream, at: now)
        case (.running, .streamClosed(let stream)), (.closing, .streamClosed(let stream)): lost(stream, at: now)
        case (.running, .socketLost(let socket)), (.closing, .socketLost(let socket)): lost(socket, at: now)
        case (.running, .leavePrevious): forgetPrevious()
        case (.running, .send(let data)): send(data, at: now)
        case (.new, .close), (.running, .close): close(at: now)
        case (.running, .deadline), (.closing, .deadline): break
        case (.running, .gather), (.closing, .gather), (.closed, .gather), (.new, .restart), (.closing, .restart),
            (.closed, .restart), (.new, .leavePrevious), (.closing, .leavePrevious), (.closed, .leavePrevious),
            (.new, .renew), (.closing, .renew), (.closed, .renew):
            break
        case (.closing, .remote), (.closed, .remote), (.closing, .remoteCandidate), (.closed, .remoteCandidate),
            (.closing, .endOfRemoteCandidates), (.closed, .endOfRemoteCandidates), (.closing, .resolved),
            (.closed, .resolved):
            break
        case (.new, .received), (.closed, .received), (.new, .streamReceived), (.closed, .streamReceived):
            ownCensus.strayPackets += 1
        case (.new, .streamOpened), (.closed, .streamOpened), (.new, .streamClosed), (.closed, .streamClosed),
            (.new, .socketLost), (.closed, .socketLost), (.new, .send), (.closing, .send), (.closed, .send):
            break
        case (.closing, .close), (.closed, .close), (.new, .deadline), (.closed, .deadline): break
        }
        advance(to: now)
        defer { effects = [] }
        return effects
    }

    /// Does everything that is due, and reports changes.
    private mutating func advance(to now: Instant) {
        if life == .running || life == .closing { advanceGathering(to: now) }
        if life == .running {
            checks.advance(to: now)
            previous?.advance(to: now)
            if let trialEndsAt, trialEndsAt <= now { self.trialEndsAt = nil }
            keepPace(at: now)
            let packets = checks.sent + (previous?.sent ?? [])
            checks.sent = []
            previous?.sent = []
            for packet in packets { send(packet.bytes, on: packet.base, to: packet.destination, at: now) }
            releaseWhatIsNotNeeded(at: now)
        }
        if life == .closing, gathering.relays.allSatisfy(\.client.isEnded) {
            life = .closed
            effects.append(.closed)
        }
        tell(at: now)
    }

    /// Starts one new transaction each `ICETiming.pace`, of checks or of gathering (RFC 8445 §14). Checks of pairs that
    /// the far end has just checked come first, because they are the likeliest to work.
    private mutating func keepPace(at now: Instant) {
        if let paceAt, paceAt > now { return }
        guard checks.hasWork || gathering.hasWork else { return }
        paceAt = now + ICETiming.pace
        let isCheckFirst = !checks.triggered.isEmpty || !gathering.hasWork
        if checks.hasWork, isCheckFirst { checks.sendNext(at: now) } else { gatherNext(at: now) }
    }

    private mutating func tell(at now: Instant) {
        let path = currentPath(at: now)
        if path != told.path {
            told.path = path
            if case .relay(let place)? = path?.base { bind(place, to: path?.remote, at: now) }
            effects.append(.path(path))
        }
        // While the new session has no path, we depend on the former one, so its trouble counts.
        let left: PathTrouble = checks.path == nil ? previous?.trouble ?? PathTrouble.none : PathTrouble.none
        let trouble = max(checks.trouble, left)
        if trouble > told.trouble, life == .running { effects.append(.restartAdvised) }
        told.trouble = trouble
        let state = state
        if state != told.state {
            told.state = state
            effects.append(.state(state))
        }
    }

    public var deadline: Instant? {
        switch life {
        case .new, .closed: return nil
        case .closing: return gathering.deadline
        case .running:
            let isBusy = checks.hasWork || gathering.hasWork
            var releaseAt: Instant?
            if case .due(let instant) = release { releaseAt = instant }
            return Instant.earliest(
                checks.deadline, previous?.deadline, gathering.deadline, releaseAt, trialEndsAt,
                isBusy ? paceAt : nil)
        }
    }
}

/// A TURN server and its transport. The owner resolves names and speaks TLS.
public struct TURNServer: Equatable, Sendable {
    public enum Transport: Equatable, Sendable { case udp, tcp, tls }

    public let address: TransportAddress
    public let transport: Transport
    public let credentials: LongTermCredentials

    public init(_ address: TransportAddress, _ transport: Transport, _ credentials: LongTermCredentials) {
        (self.address, self.transport, self.credentials) = (address, transport, credentials)
    }
}

/// A connection to a TURN server, by the agent's number for it.
public struct StreamID: Hashable, Sendable {
    public let rawValue: Int
}

/// A datagram socket of the owner.
public struct HostSocket: Equatable, Sendable {
    public let id: SocketID
    /// The bound address, not a wildcard.
    public let address: TransportAddress

    public init(_ id: SocketID, _ address: TransportAddress) { (self.id, self.address) = (id, address) }
}

/// The state of an agent, in the terms of WebRTC.
public enum ICEState: Equatable, Sendable {
    /// The far end's description is not known.
    case new
    case checking
    /// There is a path, and perhaps a better one.
    case connected
    /// The two ends have agreed on the path.
    case completed
    /// The far end has not given its consent for 30 s: a restart may find another path.
    case disconnected
    /// No path was found.
    case failed
    case closed
}

/// The pair that carries media: the selected one, or the best valid one before a selection (RFC 8445 §12.1).
public struct SelectedPair: Equatable, Sendable {
    public enum Route: Equatable, Sendable {
        case socket(SocketID)
        /// Datagrams to the server.
        /// - Parameter channel: The number before each packet. As long as it is nil, `ICEAgent.Event.send` wraps
        ///   packets.
        case turnDatagram(SocketID, server: TransportAddress, channel: UInt16?)
        case turnStream(StreamID, channel: UInt16?)
    }

    public let route: Route
    /// The far end's address. Behind our TURN server, it is the address that the server sees.
    public let remote: TransportAddress
    /// The types of the two candidates, ours and the far end's (RFC 8445 §5.1.1).
    public let localKind: CandidateKind
    public let remoteKind: CandidateKind
    /// Whether both ends have agreed on it. A path that is not nominated may change.
    public let isNominated: Bool
    let base: ICEBase

    /// Whether a TURN server of either side is on the path.
    public var isRelayed: Bool { localKind == .relayed || remoteKind == .relayed }
}

extension ICEAgent {
    public enum Event: Sendable {
        /// Starts the agent. The sockets are in the order of preference (RFC 6724); the first `ICETiming.socketLimit`
        /// are used.
        case gather([HostSocket])
        /// The far end's offer or answer. Other credentials than before restart the checks.
        case remote(RemoteDescription)
        case remoteCandidate(RemoteCandidate)
        case endOfRemoteCandidates
        /// The addresses of a candidate's name, in answer to the effect `resolve`.
        case resolved(String, [IPAddress])
        case received([UInt8], on: SocketID, from: TransportAddress)
        case streamOpened(StreamID)
        case streamReceived([UInt8], StreamID)
        case streamClosed(StreamID)
        case socketLost(SocketID)
        /// Restarts with new credentials on these sockets, which may be the same (RFC 8445 §9). The path stays until
        /// there is a new one, if its socket is among them.
        case restart([HostSocket])
        /// The far end starts another session, and our answer has these credentials.
        case renew(ICECredentials)
        /// The far end is not the former one, which gets no more packets: a call rang at several phones, and another
        /// one has answered.
        case leavePrevious
        /// A packet for the far end, to send on the path.
        case send([UInt8])
        case close
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        case transmit([UInt8], from: SocketID, to: TransportAddress)
        case openStream(StreamID, TURNServer)
        case write([UInt8], StreamID)
        /// The stream may be unopened, or closed already.
        case closeStream(StreamID)
        /// A local candidate, to be trickled or put into the description.
        case candidate(Candidate)
        /// There will be no more candidates.
        case endOfCandidates
        /// Resolve this name of a remote candidate.
        case resolve(String)
        case path(SelectedPair?)
        /// The path is gone, or the far end has not answered on it for some time. A restart may find another path.
        case restartAdvised
        /// A server does not relay for us, or has stopped.
        case relayEnded(TURNServer, TURNEnd)
        case state(ICEState)
        /// A packet of the far end that is not STUN.
        case received([UInt8])
        /// The last effect. The owner may close the sockets.
        case closed
    }
}

/// A random generator for one part of an agent. Copies of a repeatable generator would draw equal identifiers. So each
/// part's numbers are combined with a salt that no other part has.
struct SaltedGenerator: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable
    private let salt: UInt64

    init(_ generator: inout any RandomNumberGenerator & Sendable) {
        salt = generator.next()
        base = generator
    }

    mutating func next() -> UInt64 { base.next() ^ salt }
}
