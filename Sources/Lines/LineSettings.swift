import LineCore
import SIPCore
import VertoCore

/// One line and the addresses at which it listens.
public struct LineSettings: Equatable, Sendable {
    public var configuration: LineConfiguration
    /// Numeric addresses of this machine, at most one of each family. `0.0.0.0` and `::` mean all of a family.
    public var addresses: [String]
    /// The same port for UDP and TCP. 0 chooses a free one.
    public var port: UInt16
    public var tls: TLSSettings
    /// The resource of a WebSocket server: a path, and a query if it has one. It must satisfy `isWebSocketPath`.
    public var webSocketPath = "/"
    /// Name servers, each `address` or `address:port`. Empty: the system's.
    public var nameServers: [String]

    public init(
        configuration: LineConfiguration, addresses: [String] = ["0.0.0.0"], port: UInt16 = 5060,
        tls: TLSSettings = TLSSettings(), nameServers: [String] = []
    ) {
        self.configuration = configuration
        self.addresses = addresses
        self.port = port
        self.tls = tls
        self.nameServers = nameServers
    }

    /// Whether a request can name this resource. It must begin with a slash, and have no space and no fragment.
    public static func isWebSocketPath(_ text: String) -> Bool { WebSocketOffer.isPath(text) }

    /// Nil for a line without a WebSocket.
    var webSocketOffer: WebSocketOffer? {
        guard configuration.account?.server.transport.isWebSocket == true else { return nil }
        return configuration.account?.verto == nil
            ? WebSocketOffer(path: webSocketPath, subprotocol: "sip", messageLimit: SIPLimits.message)
            : WebSocketOffer(path: webSocketPath, subprotocol: nil, messageLimit: VertoLimits.frameBytes)
    }
}

/// Counts of what a line discarded, could not send, or had to open again.
public struct LineCounters: Equatable, Sendable {
    /// Datagrams and streams that are not SIP, or whose sender cannot be answered.
    public internal(set) var garbage = 0
    /// Messages beyond the limit of their source, which are not read.
    public internal(set) var limited = 0
    /// WebSocket messages that are too long, which are skipped.
    public internal(set) var oversized = 0
    /// Messages that do not parse.
    public internal(set) var malformed = 0
    /// Messages that were rejected because of their source.
    public internal(set) var strangers = 0
    /// Responses that match no request of the line, and messages that name a transaction but came over another flow.
    public internal(set) var unmatched = 0
    /// Messages beyond the number that the line holds at once, and connections beyond `Streams.Limits`.
    public internal(set) var refused = 0
    /// STUN that is malformed, answers none of our requests, or comes too often.
    public internal(set) var strayKeepAlives = 0
    /// Datagrams that this machine could not send, or whose address no host can have.
    public internal(set) var unsent = 0
    /// Connections whose far end could not prove its identity.
    public internal(set) var untrusted = 0
    /// Sockets that had to be opened again.
    public internal(set) var reopenings = 0

    public init() {}
}

/// Whether a line can be reached. A fault of its sockets counts more than its registration, because a line that
/// receives nothing is unreachable even if the server has registered it.
package struct LineReachability: Equatable, Sendable {
    /// The state of the registration, from `LineMachine`.
    package var registration = RegistrationState.notNeeded
    /// Why the line's sockets are not open, for people.
    package var closed: String?
    /// Sockets that are not read at present.
    private var unread: Set<String> = []

    package init() {}

    package var state: RegistrationState {
        (closed ?? unread.min().map(Self.fault)).map { .failed($0) } ?? registration
    }

    /// Records that a socket is no longer read, or is read again.
    package mutating func read(_ isRead: Bool, _ name: String) {
        if isRead { unread.remove(name) } else { unread.insert(name) }
    }

    package static func fault(of name: String) -> String { "\(name) cannot be read just now" }
}

/// Why a line could not be opened.
public enum LinesError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Transport: String, Sendable {
        case udp = "UDP"
        case tcp = "TCP"
        case tls = "TLS"
    }

    case portInUse(Transport, host: String, port: Int)
    case addressNotAvailable(Transport, host: String, port: Int)
    case notPermitted(Transport, host: String, port: Int)
    /// Another error of the system, with its text.
    case cannotListen(Transport, host: String, port: Int, String)
    /// A file of `TLSSettings` that cannot be read, or that has the wrong content.
    case certificateFile(String, String)
    /// TLS does not work with this configuration.
    case tls(String)

    public var description: String {
        switch self {
        case .portInUse(let name, let host, let port):
            "\(name.rawValue) port \(port) at \(host) is in use by another program"
        case .addressNotAvailable(let name, let host, let port):
            "\(host) is not an address of this machine (for \(name.rawValue) port \(port))"
        case .notPermitted(let name, let host, let port):
            "not permitted to open \(name.rawValue) port \(port) at \(host)"
        case .cannotListen(let name, let host, let port, let why):
            "cannot open \(name.rawValue) port \(port) at \(host): \(why)"
        case .certificateFile(let file, let why): "\(file) cannot be used as a certificate or key: \(why)"
        case .tls(let why): "TLS: \(why)"
        }
    }
}

/// The permanent name by which servers know a device, whatever its address (RFC 5626 §4.1).
public enum DeviceInstance {
    /// A version 4 UUID (RFC 9562 §5.4).
    ///
    /// - Parameter digits: 32 hexadecimal digits, drawn at random once for a device and an account.
    /// - Returns: Nil if `digits` is anything else.
    public static func urn(_ digits: String) -> String? {
        guard digits.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        var letters = Array(digits.utf8)
        // These two digits hold the version and the variant.
        (letters[12], letters[16]) = (UInt8(ascii: "4"), UInt8(ascii: "a"))
        var rest = letters[...]
        let groups = [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}
