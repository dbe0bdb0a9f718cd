import Base
import Glibc
import Lines
import PhoneCore
import Vault
import YAML

/// A file of answers, for runs without a person. Its keys are those of `SetupKey`.
struct SetupAnswers: YAMLReadable {
    /// As in the file. For secrets, the files that contain them.
    private(set) var answers: [SetupKey: String]

    init(from section: inout YAMLSection) throws(YAMLError) {
        answers = try Self.read(SetupKey.allCases.filter { $0.path.count == 1 }, from: &section)
        for name in ["sound", "vault", "account"] {
            let shape = YAMLShape<[SetupKey: String]>.section { section throws(YAMLError) in
                try Self.read(SetupKey.below(name), from: &section)
            }
            guard let more = try section.optional(name, shape) else { continue }
            answers.merge(more) { $1 }
            // A section in the file means yes to the question whether it is wanted.
            if let decision = SetupKey(rawValue: name) { answers[decision] = "yes" }
        }
        if answers[.board] != nil { answers[.panel] = "yes" }
        if answers[.account] == nil { answers[.account] = "no" }
        if answers[.token] != nil { answers[.login] = SetupInterview.byToken }
    }

    private static func read(
        _ keys: [SetupKey], from section: inout YAMLSection
    ) throws(YAMLError) -> [SetupKey: String] {
        var answers: [SetupKey: String] = [:]
        for key in keys { if let shape = key.shape { answers[key] = try section.optional(key.name, shape) } }
        if let (key, reason) = contradiction(in: answers) { throw section.error(key.name, reason) }
        return answers
    }

    private static func contradiction(in answers: [SetupKey: String]) -> (SetupKey, String)? {
        let (hasPassword, needsNone) = (answers[.password] != nil, answers[.noPassword] == "true")
        if answers[.passphrase] != nil, answers[.vault] != KeyPlace.passphrase.rawValue {
            return (.passphrase, "needs `key: passphrase`")
        }
        if hasPassword, needsNone { return (.noPassword, "contradicts password_file; give one of them") }
        guard answers[.token] != nil else { return nil }
        if answers[.kind] != AccountServer.Kind.telnyx.rawValue { return (.token, "needs `kind: telnyx`") }
        return hasPassword || needsNone ? (.token, "replaces the password; give one of them") : nil
    }

    var untried: Set<SetupTrial> {
        let ofSound: Set<SetupTrial> = [.route(.handset), .route(.speaker), .route(.headset), .ringer]
        return (answers[.trySound] == "false" ? ofSound : []).union(answers[.tryAccount] == "false" ? [.account] : [])
    }

    /// The answers for a phone that may already have the account. The same file can be used again; the account then
    /// stays unchanged.
    /// - Throws: If the vault has another account with this label.
    func beside(_ found: SetupFindings, tell: (String) -> Void) throws(CommandError) -> SetupAnswers {
        guard answers[.account] == "yes" else { return self }
        let label = answers[.label] ?? SetupInterview.usualLabel
        guard found.accounts.contains(label) else { return self }
        if let known = found.addresses[label], let user = answers[.user],
            let (host, port) = answers[.server].flatMap({ try? HostAndPort.parse(server: $0, allowsPath: true) })
        {
            let wanted = SetupFindings.address(user, host, port)
            guard known == wanted else {
                throw CommandError(
                    "account: the vault already has an account \"\(label)\", \(known), which differs from \(wanted). "
                        + "Remove it first (`offhook account remove \(label)`), or choose another label")
            }
        }
        tell("account \(label): already exists and stays unchanged")
        var rest = self
        rest.answers[.account] = "no"
        return rest
    }

    /// Answers to questions that are not asked by default.
    func beyondQuestions() throws(CommandError) -> [SetupKey: String] {
        if let pin = answers[.pin], Fingerprint(pin) == nil {
            throw CommandError("account.pin: expected the SHA-256 of a certificate, 64 hexadecimal digits")
        }
        return answers.filter { [.authUser, .displayName, .domain, .authorities, .pin].contains($0.key) }
    }
}

extension SetupKey {
    /// The answer's shape in a file; nil: no file has it.
    fileprivate var shape: YAMLShape<String>? {
        switch self {
        case .sound, .panel, .account, .login, .remedy: nil
        case .country: .text("a country")
        case .handset, .speaker, .headset, .ringer: .text("an ALSA device, `CAPTURE | PLAYBACK`, or none")
        case .board: .text("the name of a board file, without its ending")
        case .vault: .text("file, sealed, passphrase or none")
        case .kind: YAMLShape<AccountServer.Kind>.choice().map(\.rawValue)
        case .transport: YAMLShape<Account.Transport>.choice().map(\.rawValue)
        case .protection: YAMLShape<Account.Protection>.choice().map(\.rawValue)
        case .ice: YAMLShape<Account.ICE.Policy>.choice().map(\.rawValue)
        case .pin: .text("the SHA-256 of a certificate")
        case .password, .token, .turnPassword, .passphrase: .text("a path")
        case .trySound, .tryAccount, .noPassword: YAMLShape.bool().map { String($0) }
        case .web: .text("no, here or network")
        case .testCall: .text("a number, loopback or none")
        case .label, .user, .authUser, .displayName, .server, .domain, .stun, .turn, .authorities: .text()
        }
    }
}

/// The ALSA devices of a route, as in an answer: one for both directions, or `CAPTURE | PLAYBACK`.
struct DevicePair: Equatable {
    let capture: String
    let playback: String

    init(_ text: String) {
        let parts = text.split(separator: "|", maxSplits: 1).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        capture = parts.first ?? ""
        playback = parts.last ?? ""
    }

    init(capture: String, playback: String) { (self.capture, self.playback) = (capture, playback) }

    var text: String { capture == playback ? capture : "\(capture) | \(playback)" }

    /// Whether both have a valid length for a configuration.
    var isPlausible: Bool { [capture, playback].allSatisfy { (1...128).contains($0.utf8.count) } }
}

/// Answers from a file. A question without an answer in the file gets the default answer. If there is no default, the
/// run ends.
struct SetupFile: SetupAsker {
    let isPerson = false
    let answers: SetupAnswers
    /// Whether to write files without asking.
    let writes: Bool

    func answer(to question: SetupQuestion, refused why: SetupRefusal?) throws -> String {
        if let why { throw CommandError("\(question.key.rawValue): \(why)") }
        guard let answer = answers.answers[question.key] ?? question.usual else {
            throw CommandError(
                "\(question.key.rawValue): no answer in the file, and there is no default: \(question.text)")
        }
        return answer
    }

    func secret(
        _ question: SetupQuestion, upTo longest: Int, refused why: SetupRefusal?
    ) throws -> Redacted<String>? {
        if let why { throw CommandError("\(question.key.rawValue): \(why)") }
        guard question.key != .password || answers.answers[.noPassword] != "true" else { return nil }
        guard let file = answers.answers[question.key] else {
            let hint = question.key == .password ? "; give it, or `no_password: true`" : ""
            throw CommandError("\(question.key.rawValue): no answer in the file\(hint)")
        }
        return try SecretInput.firstLine(ofFile: file, of: "it", upTo: longest)
    }

    func passphrase() throws -> Redacted<String> {
        guard let file = answers.answers[.passphrase] else {
            throw CommandError("vault.passphrase_file: no answer in the file; `key: passphrase` needs it")
        }
        return try SecretInput(passwordFile: file).readTwice(asking: "", least: 12)
    }

    func confirm(_ text: String) throws -> Bool {
        if writes { return true }
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError("nothing was written; --yes writes without asking") }
        return try SetupTerminal().confirm(text)
    }
}
