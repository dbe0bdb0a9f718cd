/// The permissions of a token's bearer. Each scope includes those before it.
public enum AccessScope: String, CaseIterable, Comparable, Sendable {
    /// Ask questions, and receive events.
    case observe
    /// Operate the phone.
    case call
    /// Change lasting data: registrations, contacts and tokens.
    case configure

    private var rank: Int {
        switch self {
        case .observe: 0
        case .call: 1
        case .configure: 2
        }
    }

    public static func < (left: AccessScope, right: AccessScope) -> Bool { left.rank < right.rank }
}

/// The phone's record of a token that it issued. The token itself is stored nowhere.
public struct AccessToken: Equatable, Sendable {
    public let label: String
    public let scope: AccessScope
    /// SHA-256 of the token.
    public let digest: [UInt8]
    public let created: WallTime

    public init(label: String, scope: AccessScope, digest: [UInt8], created: WallTime) {
        (self.label, self.scope, self.digest, self.created) = (label, scope, digest, created)
    }
}
