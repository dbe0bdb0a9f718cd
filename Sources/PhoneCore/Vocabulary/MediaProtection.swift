import Base

extension NegotiatedMedia {
    /// A master key and salt of SRTP for each direction (RFC 3711 §3.2.1).
    public struct MasterKeys: Equatable, Codable, Sendable {
        public var suite: CryptoSuite
        /// 28 to 46 octets, by the suite.
        public var sendKey: SecretBytes
        public var receiveKey: SecretBytes
        /// The key identifier (MKI) in each packet of the far end (RFC 3711 §3.1). Nil: its packets have none.
        public var receiveKeyIdentifier: [UInt8]?

        public init(
            suite: CryptoSuite, sendKey: SecretBytes, receiveKey: SecretBytes, receiveKeyIdentifier: [UInt8] = []
        ) {
            self.suite = suite
            self.sendKey = sendKey
            self.receiveKey = receiveKey
            self.receiveKeyIdentifier = receiveKeyIdentifier.isEmpty ? nil : receiveKeyIdentifier
        }
    }

    /// SRTP by DTLS (RFC 5763): the keys come from a handshake on the media path with the peer that the signalling
    /// names. Other values in the same call are another association, and need another handshake.
    public struct DTLSAssociation: Equatable, Codable, Sendable {
        /// Whether this phone begins the handshake.
        public var isActive: Bool
        /// SHA-256 of the certificates that the far end may show, 32 octets each.
        public var fingerprints: [[UInt8]]
        /// The number of the association in its call, counted from 0. Nil: the first.
        public var number: UInt32?

        public init(isActive: Bool, fingerprints: [[UInt8]], number: UInt32? = nil) {
            self.isActive = isActive
            self.fingerprints = fingerprints
            self.number = number
        }
    }

    /// Where the keys of SRTP come from.
    public enum Protection: Equatable, Sendable {
        /// The signalling brings them (RFC 4568).
        case sdes(MasterKeys)
        case dtls(DTLSAssociation)
    }

    /// Nil unless the keys come from the signalling.
    public var sdes: MasterKeys? { if case .sdes(let keys)? = protection { keys } else { nil } }
    /// Nil unless the keys come from a handshake.
    public var dtls: DTLSAssociation? { if case .dtls(let association)? = protection { association } else { nil } }
}

extension NegotiatedMedia.Protection: Codable {
    /// Distinguishes a DTLS association from SDES keys, which event logs write without a name around them.
    private enum CodingKeys: String, CodingKey { case isActive }

    public init(from decoder: any Decoder) throws {
        let isDTLS = try decoder.container(keyedBy: CodingKeys.self).contains(.isActive)
        self = try isDTLS ? .dtls(.init(from: decoder)) : .sdes(.init(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .sdes(let keys): try keys.encode(to: encoder)
        case .dtls(let association): try association.encode(to: encoder)
        }
    }
}
