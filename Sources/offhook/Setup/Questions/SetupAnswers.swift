import ArgumentParser
import Base
import Glibc
import Lines
import PhoneCore
import Vault
import YAML

/// A file of answers, for runs without a person. Its keys are those of `SetupKey`.
struct SetupAnswers: YAMLReadable {
    private(set) var answers: [SetupKey: String] = [:]
    /// The files with the account's secrets.
    private(set) var secretFiles: [SetupKey: String] = [:]
    /// The file with the vault's passphrase.
    private(set) var passphraseFile: String?
    /// Whether the file declares that the server needs no password.
    private(set) var needsNoPassword = false
    private(set) var untried: Set<SetupTrial> = []

    init(from section: inout YAMLSection) throws(YAMLError) {
        answers[.board] = try section.optional("board", .text("the name of a board file, without its ending"))
        let sound = try section.optional("sound", .section(SoundAnswers.self))
        let vault = try section.optional("vault", .section(VaultAnswers.self))
        let account = try section.optional("account", .section(AccountAnswers.self))
        answers[.testCall] = try section.optional("test_call", .text("a number, loopback or none"))
        answers.merge(sound?.answers ?? [:]) { $1 }
        answers.merge(account?.answers ?? [:]) { $1 }
        answers[.vault] = vault?.key
        passphraseFile = vault?.passphraseFile
        secretFiles = account?.secretFiles ?? [:]
        needsNoPassword = account?.needsNoPassword ?? false
        // A section in the file means yes to the question whether it is wanted.
        if sound != nil { answers[.sound] = "yes" }
        if answers[.board] != nil { answers[.panel] = "yes" }
        answers[.account] = account == nil ? "no" : "yes"
        if sound?.isTried == false {
            untried.formUnion([.route(.handset), .route(.speaker), .route(.headset), .ringer])
        }
        if account?.isTried == false { untried.insert(.account) }
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

private struct SoundAnswers: YAMLReadable {
    private(set) var answers: [SetupKey: String] = [:]
    let isTried: Bool

    init(from section: inout YAMLSection) throws(YAMLError) {
        answers[.country] = try section.optional("country", .text("a country"))
        answers[.handset] = try section.optional("handset", .device)
        answers[.speaker] = try section.optional("speaker", .device)
        answers[.headset] = try section.optional("headset", .device)
        answers[.ringer] = try section.optional("ringer", .device)
        isTried = try section.optional("try", .bool()) ?? true
    }
}

private struct VaultAnswers: YAMLReadable {
    let key: String?
    let passphraseFile: String?

    init(from section: inout YAMLSection) throws(YAMLError) {
        key = try section.optional("key", .text("file, sealed, passphrase or none"))
        passphraseFile = try section.optional("passphrase_file", .text("a path"))
        guard key == KeyPlace.passphrase.rawValue || passphraseFile == nil else {
            throw section.error("passphrase_file", "needs `key: passphrase`")
        }
    }
}

private struct AccountAnswers: YAMLReadable {
    private(set) var answers: [SetupKey: String] = [:]
    private(set) var secretFiles: [SetupKey: String] = [:]
    let needsNoPassword: Bool
    let isTried: Bool

    init(from section: inout YAMLSection) throws(YAMLError) {
        let texts: [(String, SetupKey)] = [
            ("label", .label), ("user", .user), ("auth_user", .authUser), ("display_name", .displayName),
            ("server", .server), ("domain", .domain), ("stun", .stun), ("turn", .turn), ("authorities", .authorities),
        ]
        for (name, key) in texts { answers[key] = try section.optional(name, .text()) }
        answers[.kind] = try section.optional("kind", .choice(Account.Kind.self))
        answers[.ice] = try section.optional("ice", .choice(Account.ICE.Policy.self))
        answers[.transport] = try section.optional("transport", .choice(Account.Transport.self))
        answers[.protection] = try section.optional("protection", .choice(Account.Protection.self))
        answers[.pin] = try section.optional("pin", .text("the SHA-256 of a certificate"))
        let files: [(String, SetupKey)] = [
            ("password_file", .password), ("token_file", .token), ("turn_password_file", .turnPassword),
        ]
        for (name, key) in files { secretFiles[key] = try section.optional(name, .text("a path")) }
        needsNoPassword = try section.optional("no_password", .bool()) ?? false
        isTried = try section.optional("try", .bool()) ?? true
        guard secretFiles[.password] == nil || !needsNoPassword else {
            throw section.error("no_password", "contradicts password_file; give one of them")
        }
        guard secretFiles[.token] != nil else { return }
        guard answers[.kind] == Account.Kind.telnyx.rawValue else {
            throw section.error("token_file", "needs `kind: telnyx`")
        }
        guard secretFiles[.password] == nil, !needsNoPassword else {
            throw section.error("token_file", "replaces the password; give one of them")
        }
        answers[.login] = SetupInterview.byToken
    }
}

extension YAMLShape where Value == String {
    fileprivate static var device: YAMLShape { .text("an ALSA device, `CAPTURE | PLAYBACK`, or none") }

    /// One of the raw values of a type.
    fileprivate static func choice<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> YAMLShape {
        .choice(Word.allCases.map { ($0.rawValue, $0.rawValue) })
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

    func secret(_ question: SetupQuestion, refused why: SetupRefusal?) throws -> Redacted<String>? {
        if let why { throw CommandError("\(question.key.rawValue): \(why)") }
        guard question.key != .password || !answers.needsNoPassword else { return nil }
        guard let file = answers.secretFiles[question.key] else {
            let hint = question.key == .password ? "; give it, or `no_password: true`" : ""
            throw CommandError("\(question.key.rawValue): no answer in the file\(hint)")
        }
        return try SecretInput.firstLine(ofFile: file, of: "it", upTo: question.longestSecret)
    }

    func passphrase() throws -> Redacted<String> {
        guard let file = answers.passphraseFile else {
            throw CommandError("vault.passphrase_file: no answer in the file; `key: passphrase` needs it")
        }
        return try SecretInput.parse(["--password-file", file]).readTwice(asking: "", least: 12)
    }

    func confirm(_ text: String) throws -> Bool {
        if writes { return true }
        guard isatty(STDIN_FILENO) == 1 else { throw CommandError("nothing was written; --yes writes without asking") }
        return try SetupTerminal().confirm(text)
    }
}
