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
        /// The server's index in the configuration.
        let place: Int
        var state = State.waiting
        var mapped: TransportAddress?
        /// Whether the server has answered, or will not.
        var isSettled = false

        /// Stops asking.
        mutating func stop() { (state, isSettled) = (.done, true) }

        /// Asks again, whatever the last answer was.
        mutating func start() { (state, isSettled) = (.waiting, false) }
    }

    struct Relay: Sendable {
        enum Transport: Equatable, Sendable {
            case datagram(SocketID)
            case stream(StreamID, isOpen: Bool)
        }

        let server: TURNServer
        /// The server's index in the configuration.
        let place: Int
        var transport: Transport
        var client: TURNClient
        var framer = TURNStreamFramer()
        var isStarted = false
        var allocation: TURNAllocation?
        var channels: [TransportAddress: UInt16] = [:]
        var isSettled: Bool { allocation != nil || client.isEnded }

        /// Whether it relays, or may soon. An allocation that is being released is of no use.
        var isOfUse: Bool { !client.isLeaving }
    }

    let stunServers: [TransportAddress]
    let turnServers: [TURNServer]
    var probes: [Probe] = []
    /// The index in this list identifies a base, so no element is ever removed.
    var relays: [Relay] = []
    /// When streams to TURN servers are tried, if there is no relayed address by then.
    var streamsAt: Instant?
    /// Candidates of the far end that have a name instead of an address, by name.
    var names: [String: [RemoteCandidate]] = [:]
    /// The position is the foundation: one for each combination that candidates can share (RFC 8445 §5.1.1.3).
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

    /// Whether there is a new request to send when the pace allows it.
    var hasWork: Bool {
        probes.contains { $0.state == .waiting } || nextRelay != nil
    }

    /// The next relay to request. A server knows one allocation for each of our sockets: while it is being released,
    /// the next one waits.
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
    /// Whether the server can be asked, and has not been.
    var isReady: Bool {
        guard !isStarted, !client.isEnded else { return false }
        switch transport {
        case .datagram: return true
        case .stream(_, let isOpen): return isOpen
        }
    }
}
