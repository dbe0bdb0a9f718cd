import Base
import SecureTransport

/// Where caller info comes from, and how the phone and its broker prove who they are.
public struct BrokerSettings: Equatable, Sendable {
    /// Where the user's password is.
    public enum Password: Equatable, Sendable {
        /// In the first line of a file, which only the phone and root may read.
        case file(String)
        case text(Redacted<String>)
    }

    /// A name or a numeric address, with which the certificate is compared.
    public var host: String
    public var port: UInt16
    /// The phone's name at the broker, which keeps its session under it.
    public var device: String
    /// The topic of this phone's messages, without wildcards.
    public var topic: String
    /// The retained topic that says `online` or `offline`; nil: none.
    public var presence: String?
    public var user: String?
    public var password: Password?
    /// The phone's certificate, for brokers that ask for one.
    public var identity: TLSIdentityFiles?
    /// PEM file of the trusted authorities. Nil: the system's.
    public var authorities: String?
    /// SHA-256 of the one certificate that the broker may show. Authorities and names do not count then.
    public var pin: [UInt8]?

    public static let usualPort: UInt16 = 8_883

    public init(host: String, port: UInt16 = usualPort, device: String, topic: String) {
        (self.host, self.port, self.device, self.topic) = (host, port, device, topic)
    }

    /// The broker's name in texts for people.
    var broker: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
