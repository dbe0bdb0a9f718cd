import Base

/// The user fragment and the password of one side in one ICE session (RFC 8445 §5.3). The password is never printed.
public struct ICECredentials: Equatable, Sendable {
    public let userFragment: String
    public let password: Redacted<String>

    /// Nil unless they follow RFC 8839 §5.4: 4 to 256, and 22 to 256 letters, digits, `+` and `/`.
    public init?(userFragment: String, password: Redacted<String>) {
        let secret = password.reveal().utf8
        guard (4...256).contains(userFragment.utf8.count), (22...256).contains(secret.count),
            userFragment.utf8.allSatisfy(\.isICECharacter), secret.allSatisfy(\.isICECharacter)
        else { return nil }
        (self.userFragment, self.password) = (userFragment, password)
    }

    /// 48 and 144 random bits; RFC 8445 §5.3 requires 24 and 128.
    public init(using generator: inout some RandomNumberGenerator) {
        userFragment = Self.word(8, using: &generator)
        password = Redacted(Self.word(24, using: &generator))
    }

    private static let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func word(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        String(decoding: (0..<count).map { _ in characters[Int.random(in: 0..<64, using: &generator)] }, as: UTF8.self)
    }

    var key: STUNKey { STUNKey(password: password) }
}
