/// The hash functions of STUN. The owner supplies them, because a core imports no cryptography.
public struct STUNHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]
    /// HMAC-SHA1 (RFC 2104) of the second argument, with the first as its key: 20 bytes.
    public let hmacSHA1: @Sendable (_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]
    /// HMAC-SHA256, 32 bytes.
    public let hmacSHA256: @Sendable (_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8]

    public init(
        md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        hmacSHA1: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8],
        hmacSHA256: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
    ) {
        (self.md5, self.sha256, self.hmacSHA1, self.hmacSHA256) = (md5, sha256, hmacSHA1, hmacSHA256)
    }
}
