import SIPCore

/// The destination of a message, before names are resolved (RFC 3263 §4).
public struct NextHop: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    public let host: String
    /// Nil: DNS gives the port, else the transport's default port is used.
    public let namedPort: UInt16?
    /// Nil: DNS gives the transport, else UDP is used.
    public let namedTransport: Flow.Transport?

    public var port: UInt16 { namedPort ?? transport.defaultPort }
    public var transport: Flow.Transport { namedTransport ?? .udp }

    /// - Parameter transport: Nil leaves the choice to DNS.
    public init(host: String, port: UInt16? = nil, transport: Flow.Transport? = .udp) {
        self.host = host
        namedPort = port
        namedTransport = transport
    }

    /// The same hop, with this transport if it names none.
    func otherwise(_ transport: Flow.Transport?) -> NextHop {
        NextHop(host: host, port: namedPort, transport: namedTransport ?? transport)
    }

    /// Nil if this phone cannot send to the address.
    /// - Parameter transport: The transport for an address that does not name one. Nil leaves the choice to DNS.
    init?(_ uri: URI, otherwise transport: Flow.Transport? = nil) {
        guard let uri = uri.sip else { return nil }
        switch (uri.scheme, uri.transport) {
        case (.sips, Flow.Transport.ws.rawValue): self.init(host: uri.host, port: uri.port, transport: .wss)
        case (.sips, _): self.init(host: uri.host, port: uri.port, transport: .tls)
        case (.sip, nil): self.init(host: uri.host, port: uri.port, transport: transport)
        case (.sip, let name?):
            guard let transport = Flow.Transport(rawValue: name) else { return nil }
            self.init(host: uri.host, port: uri.port, transport: transport)
        }
    }
}
