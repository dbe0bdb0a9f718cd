import Base

/// The result of a handshake.
package struct DTLSSession: Equatable, Sendable {
    package let keys: SRTPKeys
    /// SHA-256 of the certificate that the far end showed, 32 octets.
    package let fingerprint: [UInt8]
    /// 32 octets that only the two ends have, for this handshake alone (RFC 5705).
    package let binding: SecretBytes

    package init(keys: SRTPKeys, fingerprint: [UInt8], binding: SecretBytes) {
        (self.keys, self.fingerprint, self.binding) = (keys, fingerprint, binding)
    }
}
