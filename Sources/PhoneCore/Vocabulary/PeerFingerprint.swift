/// The fingerprint of the certificate that the far end of a call has shown in a handshake, and the words for it.
public struct ShownFingerprint: Equatable, Codable, Sendable {
    /// SHA-256 of its certificate, 32 octets.
    public let fingerprint: [UInt8]
    /// Four words that are of this handshake alone. They are the same at both ends unless somebody stands between the two.
    public let words: String

    public init(fingerprint: [UInt8], words: String) { (self.fingerprint, self.words) = (fingerprint, words) }
}

/// What is known of a fingerprint that a far end shows.
public enum FingerprintStanding: String, CaseIterable, Codable, Sendable {
    /// No words were ever compared with this far end.
    case new
    /// Two people compared words under this fingerprint.
    case compared
    /// Two people compared words under another fingerprint, or read different ones: this may be another phone, or somebody in
    /// between.
    case changed
}

/// The fingerprint under which two people have compared words with a far end.
public struct PeerFingerprint: Equatable, Codable, Sendable {
    /// The far end whose fingerprint it is: the account, and the number as contacts are told by it.
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
