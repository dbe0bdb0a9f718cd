import Base

extension SessionDescription {
    /// Whether one of its lines names this key as the sender's own.
    package func names(_ key: SecretBytes) -> Bool {
        media.contains { media in media.values(of: "crypto").contains { CryptoAttribute($0)?.key == key } }
    }
}
