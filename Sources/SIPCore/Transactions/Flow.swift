/// Where a message came from, or where it goes: the two ends and what is between them.
public struct Flow: Hashable, Sendable {
    public enum Transport: String, Hashable, Sendable {
        case udp, tcp, tls

        /// Whether the transport itself repeats what was lost.
        public var isReliable: Bool { self != .udp }
        /// Whether what was said over another transport may be said over this one: TLS gives way to nothing, and a
        /// connection not to datagrams, to which anybody can write a sender.
        public func mayReplace(_ other: Transport) -> Bool {
            switch other {
            case .udp: true
            case .tcp: self != .udp
            case .tls: self == .tls
            }
        }
        /// As a Via writes it.
        public var name: String {
            switch self {
            case .udp: "UDP"
            case .tcp: "TCP"
            case .tls: "TLS"
            }
        }
        /// The port when none is given (RFC 3261 §18.2.2).
        public var defaultPort: UInt16 {
            switch self {
            case .udp, .tcp: 5060
            case .tls: 5061
            }
        }
    }

    public struct Endpoint: Hashable, Sendable {
        /// A name or a numeric address, without brackets.
        public let host: String
        public let port: UInt16

        public init(_ host: String, _ port: UInt16) { (self.host, self.port) = (host, port) }
    }

    /// Who opened the connection of a stream. It tells two connections between the same endpoints apart: only the one that
    /// we opened leads to whom we looked for. A datagram has no connection and counts as ours.
    public enum Opener: Hashable, Sendable { case us, peer }

    public let transport: Transport
    public let local: Endpoint
    public let remote: Endpoint
    public let opener: Opener

    public init(_ transport: Transport, local: Endpoint, remote: Endpoint, opener: Opener = .us) {
        (self.transport, self.local, self.remote, self.opener) = (transport, local, remote, opener)
    }

    /// Whether this is the other flow, wherever our own end of it is by now.
    public func leads(as other: Flow) -> Bool {
        transport == other.transport && remote == other.remote && opener == other.opener
    }

    /// Where responses go to a request that came over this flow with this Via (RFC 3261 §18.2.2, RFC 3581 §4).
    /// A stream answers itself; a datagram answers its source address, at the source port if that was asked for.
    /// `maddr` is not followed: it would let a stranger aim our responses.
    func answering(_ via: Via) -> Flow {
        switch transport {
        case .tcp, .tls: return self
        case .udp:
            let port = via.wantsRport ? remote.port : via.port ?? transport.defaultPort
            return Flow(.udp, local: local, remote: Endpoint(remote.host, port), opener: opener)
        }
    }
}

extension SIPHeaders {
    /// Notes in the top Via where the request really came from (RFC 3261 §18.2.1, RFC 3581 §4).
    mutating func stampTopVia(from source: Flow.Endpoint) throws(SIPParseError) {
        var all = try vias
        guard var top = all.first else { return }
        if top.wantsRport {
            top.parameters["rport"] = "\(source.port)"
            top.parameters["received"] = source.host
        } else if !top.host.equalsIgnoringCase(source.host) {
            top.parameters["received"] = source.host
        }
        all[0] = top
        set(.via, all)
    }
}
