import LineCore
import SIPCore
import VertoCore

/// One line and where it listens.
public struct LineSettings: Equatable, Sendable {
    public var configuration: LineConfiguration
    /// Numeric addresses of this machine, or `0.0.0.0` and `::` for all of a family; at most one of each family.
    public var addresses: [String]
    /// The same port for UDP and TCP; 0 takes one that is free.
    public var port: UInt16
    public var tls: TLSSettings
    /// What an account over a WebSocket asks its server for: a path, and a query if it has one. It must satisfy
    /// `isWebSocketPath`.
    public var webSocketPath = "/"
    /// Name servers, each `address` or `address:port`; none: the system's.
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

    /// Whether a request can name this resource: it begins with a slash, and has neither space nor a fragment.
    public static func isWebSocketPath(_ text: String) -> Bool { WebSocketOffer.isPath(text) }

    /// Nil for a line that has no account over a WebSocket.
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
    /// Messages beyond the limit of their source; they are not read.
    public internal(set) var limited = 0
    /// Messages of a WebSocket that are longer than any that is read; they are skipped.
    public internal(set) var oversized = 0
    /// Messages that do not parse.
    public internal(set) var malformed = 0
    /// Messages that were not read because of their source.
    public internal(set) var strangers = 0
    /// Responses that belong to no request of ours, and messages that name a transaction but came over another flow.
    public internal(set) var unmatched = 0
    /// Messages beyond what the line holds at once, and connections beyond `Streams.Limits`.
    public internal(set) var refused = 0
    /// STUN that is malformed, answers nothing of ours, or comes too often.
    public internal(set) var strayKeepAlives = 0
    /// Datagrams that this machine could not send, or whose address cannot be a host's.
    public internal(set) var unsent = 0
    /// Connections whose far end could not prove who it is.
    public internal(set) var untrusted = 0
    /// Sockets that had to be opened again.
    public internal(set) var reopenings = 0

    public init() {}
}
