import Base

/// The hash functions of digest authentication, given by whoever may import them: a core imports no cryptography.
/// SHA-512/256 is not among them: no library gives it, so it is at home here.
public struct DigestHashes: Sendable {
    public let md5: @Sendable ([UInt8]) -> [UInt8]
    public let sha256: @Sendable ([UInt8]) -> [UInt8]

    public init(md5: @escaping @Sendable ([UInt8]) -> [UInt8], sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.md5, self.sha256) = (md5, sha256)
    }

    /// In lower case.
    func hex(_ bytes: [UInt8], _ hash: DigestAlgorithm.Hash) -> String {
        let digest =
            switch hash {
            case .md5: md5(bytes)
            case .sha256: sha256(bytes)
            case .sha512256: SHA512256.hash(bytes)
            }
        return digest.hexadecimal
    }

    func hex(_ text: String, _ hash: DigestAlgorithm.Hash) -> String { hex(Array(text.utf8), hash) }
}
