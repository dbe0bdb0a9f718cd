import Base
import Cryptography

/// A new token: 256 random bits as text that needs no quoting in a header, a URL or a shell (RFC 4648 §5). Scanners for
/// leaked secrets can find it by its prefix.
struct TokenSecret {
    private static let prefix = "ohk_"
    private static let bits = 256

    let text: Redacted<String>
    /// SHA-256 of the text. A slow digest is for passwords, which can be guessed; this token cannot.
    let digest: [UInt8]

    init() {
        let text = Self.prefix + Base64URL.encode(Salt.make(Self.bits / 8))
        self.text = Redacted(text)
        digest = Digest.sha256(Array(text.utf8))
    }
}
