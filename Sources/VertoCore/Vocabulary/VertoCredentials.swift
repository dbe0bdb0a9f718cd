import Base

/// The account's credentials.
public enum VertoCredentials: Equatable, Sendable {
    /// - Parameter user: At Telnyx without a domain, at FreeSWITCH `user@domain`.
    case password(user: String, Redacted<String>)
    /// A JSON Web Token, which is valid for a day at most. Only if `VertoDialect.takesTokens`.
    case token(Redacted<String>)

    /// Nil: only the server knows the token's user.
    var user: String? {
        switch self {
        case .password(let user, _): user
        case .token: nil
        }
    }

    /// The failure when a server refuses them. Its message goes to people and logs. If it repeats the secret, or a
    /// piece of a token, it is left out.
    func refused(_ message: String) -> VertoFailure {
        switch self {
        case .password(_, let password):
            let secret = password.reveal()
            return .credentials(!secret.isEmpty && message.contains(secret) ? "" : message)
        case .token(let token): return .token(Self.repeats(message, token.reveal()) ? "" : message)
        }
    }

    /// Whether the message has so many characters in a row of the token that they reveal something. The whole token
    /// need not be in it, because a message is cut.
    private static func repeats(_ message: String, _ token: String) -> Bool {
        let (piece, said, secret) = (8, Array(message.utf8), Array(token.utf8))
        guard secret.count >= piece else { return message.contains(token) }
        guard said.count >= piece else { return false }
        let pieces = Set((0...said.count - piece).map { said[$0..<$0 + piece] })
        return (0...secret.count - piece).contains { pieces.contains(secret[$0..<$0 + piece]) }
    }
}
