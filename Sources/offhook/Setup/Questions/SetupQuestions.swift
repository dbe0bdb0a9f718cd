import PhoneCore
import SoundCore
import Vault

/// The questions of `offhook setup`. The raw values are the keys of an answers file.
package enum SetupKey: String, CaseIterable, Hashable, Sendable {
    /// Whether to choose sound devices now. `panel` and `account` have the same kind of question.
    case sound
    case country = "sound.country"
    case handset = "sound.handset"
    case speaker = "sound.speaker"
    case headset = "sound.headset"
    case ringer = "sound.ringer"
    case panel
    case board
    case vault = "vault.key"
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
    case pin = "account.pin"
    case password = "account.password_file"
    case token = "account.token_file"
    /// The remedy after a failed trial. No answers file has it.
    case remedy
    case testCall = "test_call"

    /// The questions about an account. They are asked again after its trial has failed.
    static let ofAccount: [SetupKey] = [
        .label, .kind, .login, .user, .authUser, .server, .transport, .protection, .ice, .stun, .turn, .turnPassword,
        .password, .token,
    ]
    static let secrets: Set<SetupKey> = [.password, .token, .turnPassword]
    static let devices: [SetupKey] = [.handset, .speaker, .headset, .ringer]
}

/// One question at a terminal.
package struct SetupQuestion: Equatable, Sendable {
    package struct Choice: Equatable, Sendable {
        /// The answer.
        package let value: String
        /// The meaning of the answer.
        package let words: String

        package init(_ value: String, _ words: String) { (self.value, self.words) = (value, words) }
    }

    package let key: SetupKey
    package let text: String
    package var choices: [Choice] = []
    /// Whether answers other than the choices are allowed.
    package var isOpen = true
    /// The answer for Enter; nil: there is no default.
    package var usual: String?

    /// Whether a choice may be given by its place in the list. For a test call, a number is the number to call.
    package var isNumbered: Bool { key != .testCall }
    /// The longest secret, in bytes.
    var longestSecret: Int { key == .token ? Account.tokenLimit : SecretInput.longest }
    /// Whether to hide the answer while it is typed.
    package var isSecret: Bool { SetupKey.secrets.contains(key) }
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
}

/// The texts of the questions, and their default answers.
extension SetupInterview {
    private typealias Choice = SetupQuestion.Choice

    func question(about failure: SetupFailure) -> SetupQuestion {
        SetupQuestion(
            key: .remedy, text: "What now?", choices: failure.remedies.map(\.choice), isOpen: false,
            usual: failure.remedies.first?.choice.value)
    }

    func question(_ key: SetupKey) -> SetupQuestion {
        var question = SetupQuestion(key: key, text: text(key))
        question.usual = usual(key)
        offer(&question)
        // A former answer may be impossible now, because it depends on the kind of the account.
        if let answer = former[key], question.isOpen || question.choices.contains(where: { $0.value == answer }) {
            question.usual = answer
        }
        return question
    }

    /// Adds the choices.
    private func offer(_ question: inout SetupQuestion) {
        let key = question.key
        switch key {
        case .sound, .panel, .account:
            (question.choices, question.isOpen) = ([Choice("yes", ""), Choice("no", "")], false)
        case .handset: question.choices = found.cards + [Choice("null", "no sound, to try without a card")]
        case .speaker, .headset, .ringer: question.choices = found.cards + [Choice("none", "no device")]
        case .board:
            question.choices = found.boards.map { Choice($0.name, $0.words) }
            question.isOpen = false
        case .vault: (question.choices, question.isOpen) = (Self.places, false)
        case .kind: (question.choices, question.isOpen) = (Self.kinds, false)
        case .login: (question.choices, question.isOpen) = (Self.logins, false)
        case .transport:
            question.choices = Self.transports.filter { kind == .sip || ["ws", "wss"].contains($0.value) }
            question.isOpen = false
        case .protection:
            question.choices = Self.protections.filter { kind == .sip || $0.value == "dtls" }
            question.isOpen = false
        case .ice:
            question.choices = Self.policies.filter { kind == .sip || ["always", "relayed"].contains($0.value) }
            question.isOpen = false
        case .stun, .turn: question.choices = [Choice(Self.noServer, "no server")]
        case .testCall:
            question.choices = [
                Choice("none", "no call"), Choice("loopback", "to a second phone inside this command"),
            ]
        case .country, .label, .user, .authUser, .displayName, .server, .domain, .turnPassword, .authorities, .pin,
            .password, .token, .remedy:
            break
        }
    }

    private func text(_ key: SetupKey) -> String {
        switch key {
        case .sound: found.devices.isEmpty ? "Choose the sound devices?" : "\(inUse). Choose others?"
        case .country:
            "Country whose tones the phone plays: \(ToneCountry.allCases.map(\.rawValue).joined(separator: " "))"
        case .handset: "Which sound card is the handset? Choose one, or type an ALSA device"
        case .speaker: "Which sound card is the speaker, for calls without the handset?"
        case .headset: "Which sound card is the headset?"
        case .ringer: "Which sound card rings, in addition to the panel's bell?"
        case .panel: found.board.map { "The board file is \($0). Choose another one?" } ?? "Choose the board file?"
        case .board: "Which board has your hook, keys and lamps?"
        case .vault: "There is no vault yet. It stores accounts and history, encrypted. Where shall its key be?"
        case .account:
            found.accounts.isEmpty
                ? "Add an account?" : "Accounts: \(found.accounts.joined(separator: ", ")). Add one?"
        case .label: "Label of the account, for you"
        case .kind: "Which protocol does the server speak?"
        case .login: "How does the phone log in?"
        case .user: "User at the server: the part of the address before the @"
        case .authUser: "Name for authentication, if it is not the user"
        case .displayName: "Name shown to the far end"
        case .server: "Server: a name or an address, with :PORT if it is not the default"
        case .domain: "Domain of the address, if it is not the server"
        case .transport: "Which transport does the server use?"
        case .protection: "When shall voice be encrypted?"
        case .ice: "When shall calls search for a path through NATs (ICE)?"
        case .stun: "STUN server: HOST or HOST:PORT"
        case .turn: "TURN server: USER@HOST or turns:USER@HOST, with :PORT if it is not the default"
        case .turnPassword: "Password for the TURN server"
        case .authorities: "PEM file with the authority that signed the server's certificate"
        case .pin: "SHA-256 of the server's certificate"
        case .password: "Password (empty: the server needs none)"
        case .token: "Login token"
        case .remedy: "What now?"
        case .testCall: "Make a test call? Type the number of the server's echo test, or choose"
        }
    }

    private var inUse: String {
        let parts = SetupKey.devices.compactMap { key in
            found.devices[key].map { "\(key.rawValue.dropFirst("sound.".count)) on \($0)" }
        }
        return "Sound: " + parts.joined(separator: ", ")
    }

    /// Nil: there is no default answer.
    private func usual(_ key: SetupKey) -> String? {
        switch key {
        case .sound: found.devices.isEmpty ? "yes" : "no"
        case .country: found.country ?? ToneCountry.us.rawValue
        case .handset: untried(key).first ?? "null"
        case .speaker where answers[.handset] == "none": untried(key).first
        case .speaker, .headset, .ringer: untried(key).first { $0 == found.devices[key] } ?? "none"
        case .panel: found.board == nil ? "yes" : "no"
        case .board: found.boards.first { $0.fits && $0.name != Self.simulator }?.name ?? Self.simulator
        case .vault: KeyPlace.file.rawValue
        case .account: found.accounts.isEmpty ? "yes" : "no"
        case .label: found.accounts.contains(Self.usualLabel) ? nil : Self.usualLabel
        case .authUser: answers[.user]
        case .kind: Account.Kind.sip.rawValue
        case .login: Self.byPassword
        case .server: AccountDefaults(kind).server
        case .transport: AccountDefaults(kind).transport.rawValue
        case .protection: AccountDefaults(kind).protection.rawValue
        case .ice: AccountDefaults(kind).policy.rawValue
        case .turn where answers[.ice] == Account.ICE.Policy.relayed.rawValue: nil
        case .stun, .turn: Self.noServer
        case .password: ""
        case .testCall: "none"
        case .user, .displayName, .domain, .turnPassword, .authorities, .pin, .token, .remedy: nil
        }
    }

    /// The devices of a route that have not failed: the configured one, then the machine's cards.
    private func untried(_ key: SetupKey) -> [String] {
        let failed = failedDevices[key] ?? []
        return ([found.devices[key]].compactMap(\.self) + found.cards.map(\.value)).filter { !failed.contains($0) }
    }

    static let usualLabel = "office"

    static let byPassword = "password"
    static let byToken = "token"
    /// The answer for no STUN or TURN server.
    static let noServer = "none"

    /// The board that needs no hardware.
    static let simulator = "simulator"

    private static let places = [
        Choice("file", "beside the vault: anyone who copies both can read everything"),
        Choice("sealed", "bound to this machine by systemd, and to its TPM if it has one; as root"),
        Choice("passphrase", "typed after each start of the machine"),
        Choice("none", "create no vault now"),
    ]
    private static let kinds = [
        Choice("sip", "SIP: most servers"), Choice("verto", "Verto of FreeSWITCH (mod_verto)"),
        Choice("telnyx", "Verto of Telnyx, with its usual servers"),
    ]
    private static let logins = [
        Choice(byPassword, "with user and password"), Choice(byToken, "with a login token, which expires after a day"),
    ]
    private static let policies = [
        Choice("off", "never"), Choice("answered", "if the far end offers it"), Choice("always", "in every call"),
        Choice("relayed", "in every call, and only through TURN servers"),
    ]
    private static let transports = [
        Choice("udp", "not encrypted; most servers"), Choice("tcp", "not encrypted, over a connection"),
        Choice("tls", "encrypted: the server needs a certificate"),
        Choice("ws", "over a WebSocket, not encrypted"), Choice("wss", "over a WebSocket, encrypted"),
        Choice("auto", "the choice of its domain's DNS"),
    ]
    private static let protections = [
        Choice("mandatory", "always; otherwise the call fails"),
        Choice("dtls", "always, and no server gets the keys (DTLS-SRTP)"),
        Choice("offered", "if the far end can: many servers without TLS cannot"), Choice("off", "never"),
    ]
}
