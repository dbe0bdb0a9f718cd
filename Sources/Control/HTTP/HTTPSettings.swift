import Base
import NIOCore
import SecureTransport

/// Where and how the interface is served over HTTP.
public struct HTTPSettings: Equatable, Sendable {
    /// Numeric.
    public var address: String
    /// 0: the kernel chooses one.
    public var port: UInt16
    /// Nil: in clear, for programs of this machine.
    public var identity: TLSIdentityFiles?
    /// Names by which browsers reach this phone, beside its addresses and `localhost`.
    public var hosts: [String]

    public var maximumConnections = 500
    /// Connections whose present request or stream shows the same token, so that no token keeps out others.
    public var maximumConnectionsOfToken = 64
    /// Bytes that wait for all clients together.
    public var maximumQueuedInAll = 16_777_216
    /// Requests without a token from one address: a page and its parts are some twenty.
    package var rateOfAddress = RateLimit(burst: 200, interval: .milliseconds(20))
    /// Requests that show the same token.
    package var rateOfToken = RateLimit(burst: 500, interval: .milliseconds(5))
    /// The greatest size of a request's body, in bytes.
    public var maximumBody = 65_536
    /// A request line and its headers, in bytes.
    public var maximumHeader = 16_384
    /// How long a connection may do nothing.
    public var idleTime = TimeAmount.seconds(30)
    /// How long a request may take from its first byte to its last, and a handshake of TLS.
    public var requestTime = TimeAmount.seconds(10)
    /// How often a stream shows that it lives.
    public var keepAlive = TimeAmount.seconds(15)

    public init(address: String, port: UInt16, identity: TLSIdentityFiles? = nil, hosts: [String] = []) {
        (self.address, self.port, self.identity, self.hosts) = (address, port, identity, hosts)
    }
}
