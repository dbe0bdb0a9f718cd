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
        let text = Self.prefix + Self.base64URL(Salt.make(Self.bits / 8))
        self.text = Redacted(text)
        digest = Digest.sha256(Array(text.utf8))
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var (text, pending, bits) = ([UInt8](), UInt32(0), 0)
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(pending >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(pending << UInt32(6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
