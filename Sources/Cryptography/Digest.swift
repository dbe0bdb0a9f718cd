import COpenSSL
import ICECore

/// The digests that SIP, STUN and certificates use.
package enum Digest {
    /// MD5 (RFC 1321), for digest authentication with servers that support nothing better (RFC 7616 §3.3).
    ///
    /// It does not use EVP, which refuses MD5 if the machine's policy forbids it. A server's challenge must not decide
    /// whether the digest can be computed.
    package static func md5(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
        _ = unsafe MD5(bytes, bytes.count, &digest)
        return digest
    }

    /// SHA-256 of FIPS 180-4.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSL.start
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// SHA-512/256 of FIPS 180-4: SHA-512 with its own initial value, truncated to 256 bits (RFC 7616 §3.7).
    package static func sha512256(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSL.start
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        let isDigested = unsafe EVP_Q_digest(nil, "SHA512-256", nil, bytes, bytes.count, &digest, nil) == 1
        precondition(isDigested, "OpenSSL has SHA-512/256")
        return digest
    }

    /// SHA-1 of FIPS 180-4, 20 bytes. A WebSocket server uses it to show which request it answers (RFC 6455 §1.3). It
    /// proves nothing.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        OpenSSL.start
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = unsafe SHA1(bytes, bytes.count, &digest)
        return digest
    }

    /// HMAC-SHA1 (RFC 2104), which protects the integrity of STUN messages (RFC 8489 §14.5). 20 bytes.
    package static func hmacSHA1(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        unsafe hmac(EVP_sha1(), count: Int(SHA_DIGEST_LENGTH), key, bytes)
    }

    /// HMAC-SHA256 (RFC 2104), 32 bytes.
    package static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        unsafe hmac(EVP_sha256(), count: Int(SHA256_DIGEST_LENGTH), key, bytes)
    }

    private static func hmac(_ hash: OpaquePointer?, count: Int, _ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        OpenSSL.start
        var code = [UInt8](repeating: 0, count: count)
        let isMade = unsafe HMAC(hash, key, Int32(key.count), bytes, bytes.count, &code, nil) != nil
        precondition(isMade, "OpenSSL has HMAC with SHA")
        return code
    }
}

extension STUNHashes {
    /// Computed by OpenSSL.
    package static let real = STUNHashes(
        md5: Digest.md5, sha256: Digest.sha256, hmacSHA1: { Digest.hmacSHA1(key: $0, $1) },
        hmacSHA256: { Digest.hmacSHA256(key: $0, $1) })
}
