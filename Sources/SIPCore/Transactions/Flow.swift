import Base

/// The path of a message: its transport and its two ends.
public struct Flow: Hashable, Sendable {
    public enum Transport: String, Hashable, Sendable {
        /// `ws` and `wss` are a WebSocket in clear and one over TLS (RFC 7118).
        case udp, tcp, tls, ws, wss

        /// Whether the transport itself retransmits lost data.
        public var isReliable: Bool { self != .udp }
        /// Whether TLS protects the transport, and its far end has proven its identity.
        public var isSecure: Bool { self == .tls || self == .wss }
        public var isWebSocket: Bool { self == .ws || self == .wss }
        /// Whether this transport may replace another one. No other transport replaces TLS, and UDP does not replace
        /// TCP, because anyone can forge the source of a datagram. A WebSocket has its own server, so it neither
        /// replaces nor is replaced.
        public func mayReplace(_ other: Transport) -> Bool {
            switch other {
            case .udp: !isWebSocket
            case .tcp: self == .tcp || self == .tls
            case .tls: self == .tls
            case .ws: isWebSocket
            case .wss: self == .wss
            }
        }
        /// The transport's name in a Via header field (RFC 3261 §20.42, RFC 7118 §5.2.1).
        public var name: String {
            switch self {
            case .udp: "UDP"
            case .tcp: "TCP"
            case .tls: "TLS"
            case .ws: "WS"
            case .wss: "WSS"
            }
        }
        /// The transport's name in a SIP URI, where `ws` means a WebSocket with or without TLS (RFC 7118 §5.2.2).
        public var uriName: String { isWebSocket ? Transport.ws.rawValue : rawValue }
        /// The port when none is given (RFC 3261 §18.2.2, RFC 6455 §3).
        public var defaultPort: UInt16 {
            switch self {
            case .udp, .tcp: 5060
            case .tls: 5061
            case .ws: 80
            case .wss: 443
            }
        }
    }

    public typealias Endpoint = TransportAddress

    /// The end that opened the connection of a stream. It distinguishes two connections between the same endpoints:
    /// only the one that we opened leads to the peer that we looked up. A datagram has no connection and counts as
    /// opened by us.
    public enum Opener: Hashable, Sendable { case us, peer }

    public let transport: Transport
    public let local: Endpoint
    public let remote: Endpoint
    public let opener: Opener

    public init(_ transport: Transport, local: Endpoint, remote: Endpoint, opener: Opener = .us) {
        (self.transport, self.local, self.remote, self.opener) = (transport, local, remote, opener)
    }

    /// Whether this is the same flow as another one. The local endpoint is not compared, because it may have changed.
    public func leads(as other: Flow) -> Bool {
        transport == other.transport && remote == other.remote && opener == other.opener
    }

    /// The flow for responses to a request that came over this flow with this Via (RFC 3261 §18.2.2, RFC 3581 §4). On a
    /// stream they use the same connection. For a datagram they go to its source address, and to its source port if the
    /// Via requests that. `maddr` is ignored, because with it an unknown source could direct our responses to another
    /// host.
    func answering(_ via: Via) -> Flow {
        switch transport {
        case .tcp, .tls, .ws, .wss: return self
        case .udp:
            let port = via.wantsRport ? remote.port : via.port ?? transport.defaultPort
            return Flow(.udp, local: local, remote: Endpoint(remote.address, port), opener: opener)
        }
    }
}

extension Flow.Endpoint {
    /// An endpoint that the program itself names. Text of others goes to `init(host:port:)`.
    /// - Precondition: The host is a numeric address.
    package init(_ host: String, _ port: UInt16) {
        guard let address = IPAddress(host) else { preconditionFailure("\(host) is no numeric address") }
        self.init(address, port)
    }

    /// The address as text, without brackets (RFC 5952).
    public var host: String { address.text }
}

extension SIPHeaders {
    /// Writes the request's real source into the top Via (RFC 3261 §18.2.1, RFC 3581 §4).
    ///
    /// Everything else stays as it was written, because the sender finds its request by it.
    mutating func stampTopVia(from source: Flow.Endpoint) throws(SIPParseError) {
        let top = try topVia
        guard top.wantsRport || !top.host.equalsIgnoringCase(source.host) else { return }
        var lines = lines(.via)
        lines[0] = Self.stamped(lines[0], rport: top.wantsRport ? source.port : nil, received: source.host)
        replace(.via, with: lines)
    }

    private static func stamped(_ line: String, rport: UInt16?, received: String) -> String {
        var scanner = SIPScanner(line)
        scanner.skip(to: .headerParameterEnd)
        var text = scanner.text(in: 0..<scanner.offset)
        var isReceived = false
        while scanner.skip(UInt8(ascii: ";")) {
            let start = scanner.offset
            scanner.skip(to: .headerParameterEnd)
            let written = scanner.text(in: start..<scanner.offset)
            switch (written.prefix { $0 != "=" }.filter { $0 != " " }.description.asciiLowercased, rport) {
            case ("rport", let port?): text += ";rport=\(port)"
            case ("received", _): (text, isReceived) = (text + ";received=\(received)", true)
            case (_, _): text += ";" + written
            }
        }
        if !isReceived { text += ";received=\(received)" }
        return text + scanner.text { _ in true }
    }
}
