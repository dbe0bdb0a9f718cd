import PhoneCore

/// The questions of `offhook setup`. The raw values are the keys of an answers file.
package enum SetupKey: String, CaseIterable, Hashable, Sendable {
    /// Whether to choose sound devices now. `panel` and `account` have the same kind of question.
    case sound
    case country = "sound.country"
    case handset = "sound.handset"
    case speaker = "sound.speaker"
    case headset = "sound.headset"
    case ringer = "sound.ringer"
    /// Whether to try the devices. This key and others without a question are for answers files only.
    case trySound = "sound.try"
    case panel
    case board
    case vault = "vault.key"
    case passphrase = "vault.passphrase_file"
    case account
    case label = "account.label"
    case kind = "account.kind"
    /// Password or token. In an answers file, the key of the secret decides.
    case login = "account.login"
    case user = "account.user"
    case authUser = "account.auth_user"
    case displayName = "account.display_name"
    case server = "account.server"
    case domain = "account.domain"
    case transport = "account.transport"
    case protection = "account.protection"
    case ice = "account.ice"
    case stun = "account.stun"
    case turn = "account.turn"
    case turnPassword = "account.turn_password_file"
    case authorities = "account.authorities"
    /// From an answers file or a remedy.
    case pin = "account.pin"
    case password = "account.password_file"
    case noPassword = "account.no_password"
    case token = "account.token_file"
    case tryAccount = "account.try"
    /// The remedy after a failed trial. No answers file has it.
    case remedy
    /// Who may open the page.
    case web
    case testCall = "test_call"

    static let devices: [SetupKey] = [.handset, .speaker, .headset, .ringer]

    static func below(_ section: String) -> [SetupKey] {
        allCases.filter { $0.path.count == 2 && $0.path[0] == section }
    }

    /// The keys in a file, beginning at the root.
    var path: [String] { rawValue.split(separator: ".").map(String.init) }
    var name: String { path[path.count - 1] }
}

/// One question, as a person or a file answers it.
package struct SetupQuestion: Equatable, Sendable {
    package struct Choice: Equatable, Sendable {
        /// The answer.
        package let value: String
        /// The meaning of the answer.
        package let words: String

        package init(_ value: String, _ words: String) { (self.value, self.words) = (value, words) }
    }

    package enum Kind: Equatable, Sendable {
        /// Only the choices, by their words or their places in the list.
        case choice
        /// Also another text.
        case open
        /// Also another text. A number is a number to call, not a place in the list.
        case number
        /// A text that is not shown while it is typed. The longest is in bytes.
        case secret(longest: Int)
    }

    package let key: SetupKey
    let kind: Kind
    /// The title of the question's part; nil: it belongs to the previous part.
    var title: String?
    package let text: String
    package let choices: [Choice]
    /// The answer for Enter; nil: there is no default.
    package var usual: String?

    /// In bytes; nil: it is no secret.
    var longestSecret: Int? { if case .secret(let longest) = kind { longest } else { nil } }
    /// Whether to hide the answer while it is typed.
    package var isSecret: Bool { longestSecret != nil }

    func offers(_ answer: String) -> Bool { choices.contains { $0.value == answer } }
}

/// A real trial between the questions.
package enum SetupTrial: Hashable, Sendable {
    case route(Route)
    case ringer
    case account
    case call

    /// The question whose answer the trial checks.
    package var key: SetupKey {
        switch self {
        case .route(.speaker): .speaker
        case .route(.headset): .headset
        case .route(.handset), .route(.bluetooth): .handset
        case .ringer: .ringer
        case .account: .account
        case .call: .testCall
        }
    }
}

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

    var question: SetupQuestion {
        SetupQuestion(
            key: .remedy, kind: .choice, text: "What now?", choices: remedies.map(\.choice),
            usual: remedies.first?.choice.value)
    }
}
