/// Gives a secret a name that says nothing but "the same as before": what a recording writes in its place.
///
/// Equal secrets get equal names, so that whoever only compares secrets decides on the names as on the secrets.
public protocol SecretNaming: AnyObject {
    func name(of secret: AnyHashable) -> Int
}

/// A value that can stand for a secret where the secret must not be.
public protocol Pseudonymous: Hashable, Sendable {
    static func pseudonym(_ number: Int) -> Self
}

extension [UInt8]: Pseudonymous {
    public static func pseudonym(_ number: Int) -> [UInt8] { Array("secret-\(number)".utf8) }
}

extension String: Pseudonymous {
    public static func pseudonym(_ number: Int) -> String { "secret-\(number)" }
}

extension CodingUserInfoKey {
    /// Under this key an encoder carries its `SecretNaming`.
    public static var secretNaming: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "offhook.secretNaming") }
}

extension Redacted: Codable where Secret: Pseudonymous {
    /// Never writes the secret: its name, or nothing when the encoder has no names.
    public func encode(to encoder: any Encoder) throws {
        let naming = CodingUserInfoKey.secretNaming.flatMap { encoder.userInfo[$0] as? any SecretNaming }
        var container = encoder.singleValueContainer()
        if let naming {
            try container.encode(naming.name(of: AnyHashable(reveal())))
        } else {
            try container.encodeNil()
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(Secret.pseudonym(container.decodeNil() ? 0 : try container.decode(Int.self)))
    }
}
