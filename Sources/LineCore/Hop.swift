import SIPCore

/// Where a message is to go, before names are resolved.
public struct Hop: Hashable, Sendable {
    /// A name or a numeric address, without brackets.
    public let host: String
    public let port: UInt16
    public let transport: Flow.Transport

    public init(host: String, port: UInt16? = nil, transport: Flow.Transport = .udp) {
        self.host = host
        self.port = port ?? transport.defaultPort
        self.transport = transport
    }

    /// Nil for what this phone cannot send to.
    /// - Parameter transport: For an address that names none; UDP is what RFC 3263 §4.1 says.
    init?(_ uri: URI, otherwise transport: Flow.Transport = .udp) {
        guard let uri = uri.sip else { return nil }
        switch (uri.scheme, uri.transport) {
        case (.sips, _): self.init(host: uri.host, port: uri.port, transport: .tls)
        case (.sip, nil): self.init(host: uri.host, port: uri.port, transport: transport)
        case (.sip, let name?):
            guard let transport = Flow.Transport(rawValue: name) else { return nil }
            self.init(host: uri.host, port: uri.port, transport: transport)
        }
    }
}
