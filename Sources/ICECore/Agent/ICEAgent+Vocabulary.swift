/// A TURN server, and how it is reached. Names are resolved, and TLS is spoken, by the owner.
public struct TURNServer: Equatable, Sendable {
    public enum Transport: Equatable, Sendable { case udp, tcp, tls }

    public let address: TransportAddress
    public let transport: Transport
    public let credentials: LongTermCredentials

    public init(_ address: TransportAddress, _ transport: Transport, _ credentials: LongTermCredentials) {
        (self.address, self.transport, self.credentials) = (address, transport, credentials)
    }
}

/// A connection to a TURN server, by the number that the agent has for it.
public struct StreamID: Hashable, Sendable {
    public let rawValue: Int
}

/// A datagram socket of the owner's.
public struct HostSocket: Equatable, Sendable {
    public let id: SocketID
    /// Where it is bound: no wildcard.
    public let address: TransportAddress

    public init(_ id: SocketID, _ address: TransportAddress) { (self.id, self.address) = (id, address) }
}

/// The words of WebRTC for what an agent does.
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

/// The pair over which media go: the selected one, or until there is one the best valid one (RFC 8445 §12.1).
public struct SelectedPair: Equatable, Sendable {
    public enum Route: Equatable, Sendable {
        case socket(SocketID)
        /// Datagrams to the server.
        /// - Parameter channel: The number before each packet. Until there is one, `ICEAgent.Event.send` wraps packets.
        case turnDatagram(SocketID, server: TransportAddress, channel: UInt16?)
        case turnStream(StreamID, channel: UInt16?)
    }

    public let route: Route
    /// The far end's address; behind a server of ours, as the server sees it.
    public let remote: TransportAddress
    /// The types of the two candidates, ours and the far end's (RFC 8445 §5.1.1).
    public let localKind: CandidateKind
    public let remoteKind: CandidateKind
    /// Whether both ends have agreed. A path that is not nominated may change.
    public let isNominated: Bool
    let base: ICEBase

    /// Whether a server of either side is between the two.
    public var isRelayed: Bool { localKind == .relayed || remoteKind == .relayed }
}

extension ICEAgent {
    public enum Event: Sendable {
        /// Begins. The sockets are in the order of preference (RFC 6724); of the first `ICETiming.socketLimit`.
        case gather([HostSocket])
        /// The far end's offer or answer. Other credentials than before start the checks anew.
        case remote(RemoteDescription)
        case remoteCandidate(RemoteCandidate)
        case endOfRemoteCandidates
        /// The addresses of a candidate's name, which an effect has asked for.
        case resolved(String, [IPAddress])
        case received([UInt8], on: SocketID, from: TransportAddress)
        case streamOpened(StreamID)
        case streamReceived([UInt8], StreamID)
        case streamClosed(StreamID)
        case socketLost(SocketID)
        /// New credentials, on these sockets, which may be the same (RFC 8445 §9). The path stays until there is a new
        /// one, if its socket does.
        case restart([HostSocket])
        /// The far end begins another session, and our answer has these credentials.
        case renew(ICECredentials)
        /// The far end is another one than the one before, to which nothing more is sent: a call rang at several, and
        /// another one has answered.
        case leavePrevious
        /// A packet for the far end, to be sent on the path.
        case send([UInt8])
        case close
        case deadline
    }

    public enum Effect: Equatable, Sendable {
        case transmit([UInt8], from: SocketID, to: TransportAddress)
        case openStream(StreamID, TURNServer)
        case write([UInt8], StreamID)
        /// It may not be open yet, or be closed already.
        case closeStream(StreamID)
        /// A candidate of ours, to be trickled or kept for the description.
        case candidate(Candidate)
        /// There will be no more.
        case endOfCandidates
        /// A candidate of the far end's has this name.
        case resolve(String)
        case path(SelectedPair?)
        /// The path is gone, or the far end has not answered on it for some time: a restart may find another one.
        case restartAdvised
        /// A server relays nothing for us, or no longer.
        case relayEnded(TURNServer, TURNEnd)
        case state(ICEState)
        /// A packet of the far end's that is no STUN.
        case received([UInt8])
        /// The last effect: sockets are no longer needed.
        case closed
    }
}
