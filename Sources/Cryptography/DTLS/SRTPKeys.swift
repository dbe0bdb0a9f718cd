import Base

/// The keys that both ends derive from a handshake (RFC 5764 §4.2): for each, a master key followed by its salt.
package struct SRTPKeys: Equatable, Sendable {
    package let profile: SRTPProfile
    /// Protects what we send.
    package let local: SecretBytes
    /// Protects what the far end sends.
    package let remote: SecretBytes

    /// - Parameter exported: The client's key, the server's, the client's salt, the server's.
    init(_ profile: SRTPProfile, exported: UnsafeBufferPointer<UInt8>, isClient: Bool) {
        let (keyLength, saltLength) = (profile.keyLength, profile.saltLength)
        precondition(exported.count == Self.exportedLength(profile), "OpenSSL exports the requested bytes")
        func keyAndSalt(_ side: Int) -> SecretBytes {
            var place = 0
            return SecretBytes(count: keyLength + saltLength) {
                defer { place += 1 }
                return unsafe place < keyLength
                    ? exported[side * keyLength + place]
                    : exported[2 * keyLength + side * saltLength + place - keyLength]
            }
        }
        self.profile = profile
        (local, remote) = isClient ? (keyAndSalt(0), keyAndSalt(1)) : (keyAndSalt(1), keyAndSalt(0))
    }

    static func exportedLength(_ profile: SRTPProfile) -> Int { 2 * (profile.keyLength + profile.saltLength) }
}
