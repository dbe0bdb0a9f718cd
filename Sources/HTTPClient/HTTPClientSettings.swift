import Base

/// What all requests of a client share.
public struct HTTPClientSettings: Sendable, Equatable {
    /// An HTTP proxy, which tunnels every connection (CONNECT, RFC 9110 §9.3.6). It sees names and sizes, no contents.
    public struct Proxy: Sendable, Equatable {
        /// A name or a numeric address.
        public var host: String
        public var port: UInt16
        public var user: String?
        /// The proxy gets user and password in clear.
        public var password: Redacted<String>?

        public init(host: String, port: UInt16, user: String? = nil, password: Redacted<String>? = nil) {
            (self.host, self.port, self.user, self.password) = (host, port, user, password)
        }
    }

    /// Connections to this machine never use it. Nil: none. The environment's proxies never count.
    public var proxy: Proxy?
    /// PEM file of the trusted authorities, read for each new connection. Nil: the system's.
    public var authorities: String?
    /// SHA-256 of the one certificate that servers may show. Authorities, names and expiry do not count then.
    public var pin: [UInt8]?
    public var userAgent: String
    /// The largest body of an answer in bytes, after decompression.
    public var maximumBody: Int
    /// The time for a connection: name, TCP, proxy and TLS.
    public var connectTimeout: Duration

    public init(
        proxy: Proxy? = nil, authorities: String? = nil, pin: [UInt8]? = nil,
        userAgent: String = "Offhook/" + ProgramVersion.text, maximumBody: Int = 256 * 1_024,
        connectTimeout: Duration = .seconds(10)
    ) {
        (self.proxy, self.authorities, self.pin, self.userAgent) = (proxy, authorities, pin, userAgent)
        (self.maximumBody, self.connectTimeout) = (maximumBody, connectTimeout)
    }
}
