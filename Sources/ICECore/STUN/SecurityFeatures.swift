/// The features that a server announces in its nonce (RFC 8489 §9.2, §18.1). An attacker in between cannot remove them
/// from a challenge without changing the nonce, which the server would then reject.
struct SecurityFeatures: OptionSet, Sendable {
    let rawValue: UInt32

    /// The RFC counts bits from the left in its text, and from the right in its test vector (erratum 6290). Servers do
    /// either. No other bit has a meaning, so both are read.
    static let passwordAlgorithms = SecurityFeatures(rawValue: 0x80_0001)
    static let usernameAnonymity = SecurityFeatures(rawValue: 0x40_0002)

    private static let cookie = Array("obMatJos2".utf8)
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No features unless the nonce begins with the cookie and four digits of base64.
    init(nonce: [UInt8]) {
        let word = nonce.dropFirst(Self.cookie.count).prefix(4).compactMap { Self.digits.firstIndex(of: $0) }
        guard nonce.starts(with: Self.cookie), word.count == 4 else {
            self.init()
            return
        }
        self.init(rawValue: word.reduce(0) { $0 << 6 | UInt32($1) })
    }

    var hasPasswordAlgorithms: Bool { !isDisjoint(with: .passwordAlgorithms) }
    var hasUsernameAnonymity: Bool { !isDisjoint(with: .usernameAnonymity) }
}
