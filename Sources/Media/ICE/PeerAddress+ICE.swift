import ICECore
import PhoneCore

extension PeerAddress {
    init?(_ address: TransportAddress) { self.init(host: address.address.text, port: address.port) }

    /// The same address in ICE's words, of the family that it is of.
    var transportAddress: TransportAddress? {
        IPAddress(bytes: bytes).map { TransportAddress($0, port) }
    }

    /// The address as text.
    var mediaAddress: MediaAddress? { transportAddress.map { MediaAddress(host: $0.address.text, port: port) } }
}

extension RemoteCandidate {
    /// Nil as long as it has a name in its place.
    var address: TransportAddress? {
        if case .address(let host) = host { TransportAddress(host, port) } else { nil }
    }
}
