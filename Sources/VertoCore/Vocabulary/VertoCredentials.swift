import Base

/// Who the account is.
public enum VertoCredentials: Equatable, Sendable {
    /// - Parameter user: At Telnyx without a domain, at FreeSWITCH `user@domain`.
    case password(user: String, Redacted<String>)
    /// A JSON Web Token, which ends after a day at most. Only where `VertoDialect.takesTokens`.
    case token(Redacted<String>)

    /// Nil: only the server knows whose token it is.
    var user: String? {
        switch self {
        case .password(let user, _): user
        case .token: nil
        }
    }

    /// A server's refusal of them. What it says is for people and for logs: where it repeats the secret, or a piece of a
    /// token, it is left out.
    func refused(_ message: String) -> VertoFailure {
        switch self {
        case .password(_, let password):
            let secret = password.reveal()
            return .credentials(!secret.isEmpty && message.contains(secret) ? "" : message)
        case .token(let token): return .token(Self.repeats(message, token.reveal()) ? "" : message)
        }
    }

    /// Whether so many characters in a row are the token's that they tell something of it. A message is cut, so that it
    /// may not hold the whole one.
    private static func repeats(_ message: String, _ token: String) -> Bool {
        let (piece, said, secret) = (8, Array(message.utf8), Array(token.utf8))
        guard secret.count >= piece else { return message.contains(token) }
        guard said.count >= piece else { return false }
        let pieces = Set((0...said.count - piece).map { said[$0..<$0 + piece] })
        return (0...secret.count - piece).contains { pieces.contains(secret[$0..<$0 + piece]) }
    }
}
