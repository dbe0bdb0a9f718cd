import Base
import NIOCore
import Platform
import SecureTransport

/// The path of the control socket, its permissions and its limits.
public struct ControlSettings: Equatable, Sendable {
    /// The socket's path: at most 107 bytes, in a folder that exists.
    public var path: String
    /// Members of this group may also control the phone. Nil: only this program's own user, and root.
    public var group: UInt32?
    /// The user whose programs may connect, besides root. Nil: this program's user.
    public var user: UInt32?
    /// Whether root may connect.
    public var allowsRoot = true

    public var maximumConnections = 16
    /// The longest request, in bytes.
    public var maximumLineLength = 65_536
    /// The most unanswered requests of one connection.
    public var maximumRequestsInFlight = 32
    /// The most bytes that wait for one connection. A reader that falls further behind is dropped. It can connect again
    /// and request a snapshot, and does not hold up other programs.
    public var maximumQueuedBytes = 262_144
    /// The same interface over HTTP; nil: disabled.
    public var http: HTTPSettings?

    public init(path: String, group: UInt32? = nil) {
        self.path = path
        self.group = group
    }
}

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

/// Why the control interface could not be opened.
public enum ControlError: Error, Equatable, Sendable {
    case pathTooLong(String, limit: Int)
    /// Another program answers at this path, most likely another Offhook.
    case inUse(String)
    /// A file with this name exists, but is no socket. It stays unchanged.
    case notASocket(String)
    /// A system call failed.
    case system(call: String, path: String, errno: Int32)
    /// HTTP cannot listen at this address.
    case address(String, port: UInt16, why: String)
    /// HTTPS cannot use these files.
    case certificate(String)
}

extension ControlError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .pathTooLong(let path, let limit): "control socket \(path): the path is longer than \(limit) bytes"
        case .inUse(let path): "control socket \(path): another program answers there; Offhook may already be running"
        case .notASocket(let path):
            "control socket \(path): a file with this name exists and is no socket; remove it or set control.socket"
        case .address(let address, let port, let why): "control.http: port \(port) at \(address): \(why)"
        case .certificate(let why): "control.http: \(why)"
        case .system(let call, let path, let errno): "control socket \(path): \(call): \(SystemError.text(errno))"
        }
    }
}
