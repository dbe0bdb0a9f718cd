import Base
import NIOCore
import SecureTransport

/// The address, TLS files and limits of the HTTP server.
public struct HTTPSettings: Equatable, Sendable {
    /// Numeric.
    public var address: String
    /// 0: the kernel chooses one.
    public var port: UInt16
    /// Nil: unencrypted, for programs of this machine.
    public var identity: TLSIdentityFiles?
    /// Names of this phone for browsers, besides its addresses and `localhost`.
    public var hosts: [String]

    public var maximumConnections = 500
    /// The most connections with the same token at a time, so that no token blocks others.
    public var maximumConnectionsOfToken = 64
    /// The most bytes that wait for all clients together.
    public var maximumQueuedInAll = 16_777_216
    /// Requests without a token from one address. The page with its parts needs about twenty.
    package var rateOfAddress = RateLimit(burst: 200, interval: .milliseconds(20))
    /// Requests with the same token.
    package var rateOfToken = RateLimit(burst: 500, interval: .milliseconds(5))
    /// The largest body of a request, in bytes.
    public var maximumBody = 65_536
    /// The largest request line with headers, in bytes.
    public var maximumHeader = 16_384
    /// How long a connection may be idle.
    public var idleTime = TimeAmount.seconds(30)
    /// The longest time from a request's first to its last byte, and for a TLS handshake.
    public var requestTime = TimeAmount.seconds(10)
    /// How often a stream sends a sign of life.
    public var keepAlive = TimeAmount.seconds(15)

    public init(address: String, port: UInt16, identity: TLSIdentityFiles? = nil, hosts: [String] = []) {
        (self.address, self.port, self.identity, self.hosts) = (address, port, identity, hosts)
    }
}
