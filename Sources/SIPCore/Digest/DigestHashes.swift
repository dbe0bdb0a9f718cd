import Base

/// The hash functions of digest authentication. The owner supplies them, because a core imports no cryptography.
public struct DigestHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]
    public let sha512256: @Sendable ([UInt8]) -> [UInt8]

    public init(
        md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8],
        sha512256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.md5, self.sha256, self.sha512256) = (md5, sha256, sha512256)
    }

    /// The hash in lower-case hexadecimal.
    func hex(_ bytes: [UInt8], _ hash: DigestAlgorithm.Hash) -> String {
        let digest =
            switch hash {
            case .md5: md5(bytes)
            case .sha256: sha256(bytes)
            case .sha512256: sha512256(bytes)
            }
        return digest.hexadecimal
    }

    func hex(_ text: String, _ hash: DigestAlgorithm.Hash) -> String { hex(Array(text.utf8), hash) }
}
