import Base

/// How the calls of an account find a path to the far end (RFC 8445).
public struct ICESettings: Equatable, Sendable {
    public enum Policy: String, CaseIterable, Sendable {
        /// Never: a call's packets go between the addresses of its signalling.
        case off
        /// Where the far end offers it.
        case answered
        case always
        /// Always, and through TURN servers only, so that the far end does not learn our addresses.
        case relayed
    }

    /// A server that tells how others see us (STUN), or that also relays (TURN).
    public struct Server: Equatable, Sendable {
        /// A numeric address, or a name.
        public var host: String
        public var port: UInt16
        /// Present for a server that relays.
        public var relay: Relay?

        public init(host: String, port: UInt16, relay: Relay? = nil) {
            self.host = host
            self.port = port
            self.relay = relay
        }
    }

    public struct Relay: Equatable, Sendable {
        /// How the server is reached (RFC 8656 §2.1). From there to the far end it is always UDP.
        public enum Transport: Equatable, Sendable { case udp, tcp, tls }

        public var transport: Transport
        public var user: String
        public var password: Redacted<String>

        public init(over transport: Transport = .udp, user: String, password: Redacted<String>) {
            self.transport = transport
            self.user = user
            self.password = password
        }
    }

    /// Whether a call does without ICE only if the far end does.
    var isDemanded: Bool { policy == .always || policy == .relayed }

    /// Whether a call begins before all its candidates are gathered. A description that shows only a server's address needs that
    /// address.
    var mayTrickle: Bool { trickles && policy != .relayed }

    public var policy: Policy
    public var servers: [Server]
    /// PEM file of the authorities that vouch for servers over TLS. Nil: the system's.
    public var authorities: String?
    /// Whether the account's signalling can tell our candidates one by one, behind a description (RFC 8838).
    public var trickles: Bool

    public init(
        _ policy: Policy = .answered, servers: [Server] = [], authorities: String? = nil, trickles: Bool = false
    ) {
        self.policy = policy
        self.servers = servers
        self.authorities = authorities
        self.trickles = trickles
    }
}
