import Base

/// How the calls of an account find a path to the far end (RFC 8445).
public struct ICESettings: Equatable, Sendable {
    public enum Policy: String, CaseIterable, Sendable {
        /// Never: packets go to the addresses in the descriptions.
        case off
        /// If the far end offers it.
        case answered
        case always
        /// Always, and only through TURN servers, so that the far end does not learn our addresses.
        case relayed
    }

    /// A STUN server, which reports our public address, or a TURN server, which also relays.
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
        /// The transport to the server (RFC 8656 §2.1). From the server to the far end it is always UDP.
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

    /// Whether calls use ICE unless the far end does not support it.
    var isDemanded: Bool { policy == .always || policy == .relayed }

    /// Whether a call begins before all its candidates are gathered. Under `relayed` the description shows only a
    /// server's address, so it must wait for that address.
    var mayTrickle: Bool { trickles && policy != .relayed }

    public var policy: Policy
    public var servers: [Server]
    /// PEM file of the authorities that sign TLS servers' certificates. Nil: the system's authorities.
    public var authorities: String?
    /// Whether the account's signalling can send candidates one by one after a description (RFC 8838).
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
