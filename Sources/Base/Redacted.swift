/// A secret. It compares and copies like its value, and every way of printing it prints a placeholder.
///
/// Only `reveal()` gives the value, so that each use of a secret can be found by searching for this name.
public struct Redacted<Secret: Sendable>: Sendable {
    private let secret: Secret

    public init(_ secret: Secret) { self.secret = secret }

    public func reveal() -> Secret { secret }
}

extension Redacted: Equatable where Secret: Equatable {}
extension Redacted: Hashable where Secret: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { description }
    /// Empty, so that `dump` and failing tests show nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives a secret a name that reveals only whether it is the same as an earlier secret. A recording contains the name
/// instead of the secret.
///
/// Equal secrets get equal names, so that code which only compares secrets decides the same with the names.
public protocol SecretNaming: AnyObject {
    func name(of secret: AnyHashable) -> Int
}

/// A type with a value that can replace a secret where the secret must not appear.
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
    /// The key under which an encoder has its `SecretNaming`.
    public static var secretNaming: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "offhook.secretNaming") }
}

extension Redacted: Codable where Secret: Pseudonymous {
    /// Writes the secret's name and never the secret. Writes nil if the encoder has no `SecretNaming`.
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
