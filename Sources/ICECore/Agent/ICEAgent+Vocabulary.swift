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
