/// What a person may do about a trial that failed.
package enum SetupRemedy: Equatable, Hashable, Sendable {
    case again
    /// The questions of the trial are asked again.
    case change
    /// The answers are kept as they are.
    case keep
    /// The account is left out.
    case leave
    /// The one certificate that the server shows is trusted from now on; its SHA-256.
    case pin(String)
    /// A file with the authority that signed the server's certificate is named.
    case authorities

    var choice: SetupQuestion.Choice {
        switch self {
        case .again: .init("again", "try it once more")
        case .change: .init("change", "answer the questions again")
        case .keep: .init("keep", "go on with it as it is")
        case .leave: .init("leave", "go on without it")
        case .pin(let fingerprint): .init("pin", "trust this one certificate: \(fingerprint.prefix(23))…")
        case .authorities: .init("authority", "name a PEM file with the authority that signed it")
        }
    }
}

/// A trial that failed: why, and what may be done about it, best first.
package struct SetupFailure: Error, Equatable, Sendable {
    package let text: String
    package let remedies: [SetupRemedy]

    package init(_ text: String, _ remedies: [SetupRemedy]) { (self.text, self.remedies) = (text, remedies) }
}
