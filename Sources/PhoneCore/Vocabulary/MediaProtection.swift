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
