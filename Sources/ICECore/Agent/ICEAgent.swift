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
