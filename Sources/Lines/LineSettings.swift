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
