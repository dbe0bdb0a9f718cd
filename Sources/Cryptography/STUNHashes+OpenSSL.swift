import ICECore

extension STUNHashes {
    /// Computed by OpenSSL.
    package static let real = STUNHashes(
        md5: Digest.md5, sha256: Digest.sha256, hmacSHA1: { Digest.hmacSHA1(key: $0, $1) },
        hmacSHA256: { Digest.hmacSHA256(key: $0, $1) })
}
