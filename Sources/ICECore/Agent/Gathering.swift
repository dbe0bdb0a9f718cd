import Base

/// The requests to STUN and TURN servers that gather candidates (RFC 8445 §5.1.1).
struct Gathering: Sendable {
    /// A Binding request that asks a STUN server for the server-reflexive address of a socket. It is repeated as long as
    /// the candidate is needed, so that NATs keep their binding.
    struct Probe: Sendable {
        enum State: Equatable, Sendable {
            case waiting
            case asking(STUNMessage, STUNRetransmission)
            case resting(until: Instant)
            case done
        }

        let socket: SocketID
        let server: TransportAddress
        /// Its place among the servers.
        let place: Int
        var state = State.waiting
        var mapped: TransportAddress?
        /// Whether it has an answer, or will have none.
        var isSettled = false

        /// It is asked no more.
        mutating func stop() { (state, isSettled) = (.done, true) }

        /// It is asked once more, whatever it was told before.
        mutating func start() { (state, isSettled) = (.waiting, false) }
    }

    struct Relay: Sendable {
        enum Transport: Equatable, Sendable {
            case datagram(SocketID)
            case stream(StreamID, isOpen: Bool)
        }

        let server: TURNServer
        /// Its place among the servers.
        let place: Int
        var transport: Transport
        var client: TURNClient
        var framer = TURNStreamFramer()
        var isStarted = false
        var allocation: TURNAllocation?
        var channels: [TransportAddress: UInt16] = [:]
        var isSettled: Bool { allocation != nil || client.isEnded }

        /// Whether it relays, or may yet. What is being given back is of no more use.
        var isOfUse: Bool { !client.isLeaving }
    }

    let stunServers: [TransportAddress]
    let turnServers: [TURNServer]
    var probes: [Probe] = []
    /// A place in this list is the name of a base, so that none is ever taken out.
    var relays: [Relay] = []
    /// When streams to TURN servers are tried, unless there is a relayed address before.
    var streamsAt: Instant?
    /// Names that candidates of the far end's have.
    var names: [String: [RemoteCandidate]] = [:]
    /// One number for each thing that candidates have in common (RFC 8445 §5.1.1.3).
    private var foundations: [FoundationKey] = []

    private struct FoundationKey: Equatable, Sendable {
        let kind: CandidateKind, base: IPAddress, server: TransportAddress?
    }

    init(_ configuration: ICEAgent.Configuration) {
        stunServers = Array(configuration.stunServers.prefix(ICETiming.serverLimit))
        turnServers = Array(configuration.turnServers.prefix(ICETiming.serverLimit))
    }

    mutating func foundation(_ kind: CandidateKind, base: IPAddress, server: TransportAddress?) -> String {
        let key = FoundationKey(kind: kind, base: base, server: server)
        if let known = foundations.firstIndex(of: key) { return "\(known + 1)" }
        foundations.append(key)
        return "\(foundations.count)"
    }

    /// Whether something new is to be asked, when the pace allows it.
    var hasWork: Bool {
        probes.contains { $0.state == .waiting } || nextRelay != nil
    }

    /// The relay to be asked next. A server knows one allocation for each socket of ours: while the one before is being
    /// given back, the next one waits.
    var nextRelay: Int? {
        relays.indices.first { place in
            relays[place].isReady
                && !relays[..<place].contains {
                    $0.transport == relays[place].transport && $0.server.address == relays[place].server.address
                        && !$0.isOfUse && !$0.client.isEnded
                }
        }
    }

    /// Whether every server has answered, or will not.
    var isSettled: Bool {
        streamsAt == nil && probes.allSatisfy(\.isSettled) && relays.allSatisfy(\.isSettled)
    }

    var deadline: Instant? {
        let probes = probes.lazy.compactMap { probe -> Instant? in
            switch probe.state {
            case .waiting, .done: nil
            case .asking(_, let retransmission): retransmission.deadline
            case .resting(let until): until
            }
        }
        return Instant.earliest(probes.min(), relays.lazy.compactMap(\.client.deadline).min(), streamsAt)
    }
}

extension Gathering.Relay {
    /// Whether the server can be asked, and was not.
    var isReady: Bool {
        guard !isStarted, !client.isEnded else { return false }
        switch transport {
        case .datagram: return true
        case .stream(_, let isOpen): return isOpen
        }
    }
}
