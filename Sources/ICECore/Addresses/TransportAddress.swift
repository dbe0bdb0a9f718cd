/// The source or destination of a datagram.
public struct TransportAddress: Hashable, Sendable {
    public let address: IPAddress
    public let port: UInt16

    public init(_ address: IPAddress, _ port: UInt16) { (self.address, self.port) = (address, port) }
}
