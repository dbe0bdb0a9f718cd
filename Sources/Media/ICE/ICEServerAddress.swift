import ICECore

/// A server of `ICESettings` whose address is known.
struct ICEServerAddress: Sendable {
    /// The configured host, which the server's certificate must name.
    let host: String
    let address: TransportAddress
    let relay: ICESettings.Relay?

    var turnServer: TURNServer? {
        relay.map { relay in
            let transport: TURNServer.Transport =
                switch relay.transport {
                case .udp: .udp
                case .tcp: .tcp
                case .tls: .tls
                }
            return TURNServer(
                address, transport, LongTermCredentials(user: relay.user, password: relay.password))
        }
    }
}
