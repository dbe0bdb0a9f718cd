import Cryptography
import SIPCore

/// The hash functions that the phone uses, for the vectors of the standards.
extension DigestHashes {
    static let test = DigestHashes(md5: Digest.md5, sha256: Digest.sha256, sha512256: Digest.sha512256)
}
