import Base

extension Account {
    /// How the account's calls find a path to the far end (RFC 8445).
    public struct ICE: Equatable, Sendable {
        /// Never; if the far end offers it; always; or always and only through TURN servers, which hide our addresses.
        public enum Policy: String, CaseIterable, Sendable { case off, answered, always, relayed }

        /// A STUN server, or a TURN server if it has a user.
        public struct Server: Equatable, Sendable {
            public var host: String
            public var port: UInt16
            /// The transport to a TURN server.
            public var transport: Transport
            public var user: String?
            public var password: Redacted<String>?

            public init(
                host: String, port: UInt16, transport: Transport = .udp, user: String? = nil,
                password: Redacted<String>? = nil
            ) {
                self.host = host
                self.port = port
                self.transport = transport
                self.user = user
                self.password = password
            }
        }

        public enum Transport: String, CaseIterable, Sendable { case udp, tcp, tls }

        /// Limit of servers of each kind for an account.
        public static let serverLimit = 4

        public var policy: Policy
        public var servers: [Server]

        public init(_ policy: Policy = .answered, servers: [Server] = []) {
            self.policy = policy
            self.servers = servers
        }

        func validate() throws(VaultError) {
            for server in servers {
                try TextRule.check(
                    required: ["server of ICE": server.host],
                    optional: ["its user": server.user, "its password": server.password?.reveal()])
                guard server.port != 0 else { throw .invalidValue(field: "port", expected: "1 to 65535") }
            }
        }
    }
}
