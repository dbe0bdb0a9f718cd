import ICECore
import PhoneCore

extension PeerAddress {
    init?(_ address: TransportAddress) { self.init(host: address.address.text, port: address.port) }

    /// The same address as ICECore's type, in its address family.
    var transportAddress: TransportAddress? {
        IPAddress(bytes: bytes).map { TransportAddress($0, port) }
    }

    /// The address as text.
    var mediaAddress: MediaAddress? { transportAddress.map { MediaAddress(host: $0.address.text, port: port) } }
}

extension RemoteCandidate {
    /// Nil if it has a host name instead of an address.
    var address: TransportAddress? {
        if case .address(let host) = host { TransportAddress(host, port) } else { nil }
    }
}
