import Base

/// A key that proves a message's integrity (RFC 8489 §9). It is never printed.
public struct STUNKey: Equatable, Sendable {
    private let secret: Redacted<[UInt8]>

    /// The key of a short-term credential: the password (RFC 8489 §9.1.1). ICE passwords are ASCII, so string
    /// preparation does not change them.
    public init(password: Redacted<String>) { secret = Redacted(Array(password.reveal().utf8)) }

    /// The key of a long-term credential: the hash of user, realm and password (RFC 8489 §9.2.2).
    package init(_ bytes: [UInt8]) { secret = Redacted(bytes) }

    func code(_ integrity: MessageIntegrity, of bytes: [UInt8], _ hashes: STUNHashes) -> [UInt8] {
        switch integrity {
        case .sha1: hashes.hmacSHA1(secret.reveal(), bytes)
        case .sha256: hashes.hmacSHA256(secret.reveal(), bytes)
        }
    }
}
