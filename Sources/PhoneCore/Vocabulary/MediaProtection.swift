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

/// The protection of a call's voice on its way (spec §14), from the weakest to the strongest.
public enum CallProtection: String, CaseIterable, Codable, Sendable {
    /// Anyone on the path can listen.
    case clear
    /// SRTP with keys from the signalling (RFC 4568). Anyone who can read the signalling, such as a server, can listen.
    case sdes
    /// SRTP with keys from a handshake with the far end (RFC 5763). Anyone who can change the signalling, such as a
    /// server, can get in between.
    case dtls
    /// SRTP as with `dtls`, and two people have compared words under the far end's fingerprint: nobody is in between.
    case verified

    init(_ negotiated: NegotiatedMedia) {
        switch negotiated.protection {
        case nil: self = .clear
        case .sdes?: self = .sdes
        case .dtls?: self = .dtls
        }
    }
}

/// The fingerprint of the certificate that the far end of a call has shown in a handshake, and the words for it.
public struct ShownFingerprint: Equatable, Codable, Sendable {
    /// SHA-256 of its certificate, 32 octets.
    public let fingerprint: [UInt8]
    /// Four words for this one handshake. They are the same at both ends unless an attacker is in between.
    public let words: String

    public init(fingerprint: [UInt8], words: String) { (self.fingerprint, self.words) = (fingerprint, words) }
}

/// The comparison history of a fingerprint that a far end shows.
public enum FingerprintStanding: String, CaseIterable, Codable, Sendable {
    /// No words were ever compared with this far end.
    case new
    /// Two people compared words under this fingerprint.
    case compared
    /// Two people compared words under another fingerprint, or their words differed: another phone, or an attacker in
    /// between.
    case changed
}

/// The fingerprint under which two people have compared words with a far end.
public struct PeerFingerprint: Equatable, Codable, Sendable {
    /// The far end that has the fingerprint: the account, and the number in the form that identifies contacts.
    public struct Peer: Hashable, Codable, Sendable {
        public let account: AccountID
        public let number: String

        public init(account: AccountID, number: String) { (self.account, self.number) = (account, number) }
    }

    public let peer: Peer
    /// SHA-256 of its certificate, 32 octets.
    public let fingerprint: [UInt8]

    public init(_ peer: Peer, fingerprint: [UInt8]) { (self.peer, self.fingerprint) = (peer, fingerprint) }
}
