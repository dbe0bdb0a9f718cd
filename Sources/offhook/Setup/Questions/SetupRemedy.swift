/// What a person can do after a failed trial.
package enum SetupRemedy: Equatable, Hashable, Sendable {
    case again
    /// Ask the trial's questions again.
    case change
    /// Keep the answers unchanged.
    case keep
    /// Skip the account.
    case leave
    /// From now on, trust only the certificate that the server shows, with this SHA-256.
    case pin(String)
    /// Name a file with the authority that signed the server's certificate.
    case authorities

    var choice: SetupQuestion.Choice {
        switch self {
        case .again: .init("again", "try again")
        case .change: .init("change", "answer the questions again")
        case .keep: .init("keep", "continue and keep these answers")
        case .leave: .init("leave", "continue without the account")
        case .pin(let fingerprint): .init("pin", "trust only this certificate: \(fingerprint.prefix(23))…")
        case .authorities: .init("authority", "name a PEM file with the authority that signed it")
        }
    }
}

/// A failed trial: the reason, and the remedies, best first.
package struct SetupFailure: Error, Equatable, Sendable {
    package let text: String
    package let remedies: [SetupRemedy]

    package init(_ text: String, _ remedies: [SetupRemedy]) { (self.text, self.remedies) = (text, remedies) }
}
