import Base
import Commands
import Lines
import Media
import PhoneCore
import Vault
import YAML

enum SetupCommand {
    static var command: Command {
        Command(
            "setup", "Ask questions, and set up sound, panel, vault and account.",
            discussion: """
                Can be run again at any time, because it reads the present state from the files. It shows all changes \
                and asks before writing. `offhook doctor` checks everything later.
                """, example: "offhook setup --answers answers.yaml --yes", ConfigurationOption.input,
            Parameter.option(
                "answers", "Take the answers from this YAML file instead of asking (docs/user/getting-started.md).",
                .file(ending: "yaml")), Parameter.flag("yes", "With --answers: write without asking."),
            SealingOptions.input
        ) { phone, answers, yes, sealing in
            guard answers != nil || !yes else { throw UsageError("--yes needs --answers") }
            try run(phone, answers: answers, writes: yes, sealing)
        }
    }

    private static func run(
        _ phone: ConfigurationOption, answers: String?, writes: Bool, _ sealing: SealingOptions
    ) throws {
        _ = PrivateMemory.hide()
        let found = try SetupInspection.findings(phone.config, credential: sealing.credential)
        if let answers {
            let file: SetupAnswers = try YAMLDocument(path: answers).read()
            let wanted = try file.beside(found) { print($0) }
            let interview = try SetupInterview(
                found, given: wanted.beyondQuestions(), wanted: Set(wanted.answers.keys), untried: wanted.untried)
            var session = SetupSession(interview, asker: SetupFile(answers: wanted, writes: writes), sealing: sealing)
            try session.run()
        } else {
            var session = SetupSession(SetupInterview(found), asker: try SetupTerminal(), sealing: sealing)
            try session.run()
        }
    }
}

/// Carries out the steps of `SetupInterview` until it is done.
struct SetupSession {
    private(set) var interview: SetupInterview
    let asker: any SetupAsker
    private let sealing: SealingOptions
    /// The key of the vault that this session has created.
    private var key: VaultKey?
    private var heading = ""

    init(_ interview: SetupInterview, asker: any SetupAsker, sealing: SealingOptions) {
        (self.interview, self.asker, self.sealing) = (interview, asker, sealing)
    }

    mutating func run() throws {
        try Self.say("Configuration: \(interview.found.path)\(interview.found.text == nil ? " (new)" : "")")
        while true {
            switch interview.next {
            case .ask(let question): try ask(question)
            case .attempt(let trial): try attempt(trial)
            case .write: try write()
            case .done:
                // Do not wrap commands, so that they can be copied.
                print(closingWords.withoutTerminalCommands)
                return try StandardOutput.flush()
            }
        }
    }

    static func say(_ text: String) throws(CommandError) { try SetupTerminal.say(text.withoutTerminalCommands) }

    private mutating func ask(_ question: SetupQuestion) throws {
        if asker.isPerson, let title = question.title, title != heading {
            heading = title
            try Self.say("\n\(title)")
        }
        var refusal: SetupRefusal?
        repeat {
            let secret = try question.longestSecret.map { try asker.secret(question, upTo: $0, refused: refusal) }
            let answer = secret == nil ? try asker.answer(to: question, refused: refusal) : ""
            do throws(SetupRefusal) {
                if let secret { try interview.answer(secret: secret) } else { try interview.answer(answer) }
                return
            } catch {
                refusal = error
            }
        } while true
    }

    // MARK: Trials

    private mutating func attempt(_ trial: SetupTrial) throws {
        let failure: SetupFailure?
        do {
            failure = try outcome(of: trial)
        } catch let error as MediaError {
            failure = SetupFailure("\(error)", [.change, .again, .keep])
        } catch let error as UnknownAccount {
            failure = SetupFailure("\(error)", [.keep, .change])
        } catch let error as AccountRefusal {
            failure = SetupFailure("\(error)", [.change, .leave])
        }
        if let failure {
            guard asker.isPerson else { throw CommandError(failure.text) }
            try Self.say(failure.text)
        }
        interview.conclude(trial, failure)
    }

    /// Nil: it succeeded.
    private func outcome(of trial: SetupTrial) throws -> SetupFailure? {
        switch trial {
        case .route(let route): try rehearse(route)
        case .ringer: try tryRinger()
        case .account: try tryAccount()
        case .call: try tryCall()
        }
    }

    /// The settings from the answers so far.
    func settings() throws -> Settings {
        let file = try interview.configuration()
        return try Settings(file.after, path: file.path)
    }

    var vault: VaultAccess {
        get throws { VaultAccess(settings: try settings(), credential: sealing.credential) }
    }

    /// The accounts in the vault; empty if there is no vault.
    func storedAccounts() throws -> [StoredAccount] {
        let vault = try vault
        guard vault.exists else { return [] }
        guard let key else { return try vault.accounts() }
        return try VaultFile.open(vault.settings.vaultFile, key: key, access: .readOnly).accounts()
    }

    // MARK: Writing

    private mutating func write() throws {
        let plan = try SetupPlan(interview)
        guard !plan.isEmpty else {
            try Self.say("\nThere is nothing to write.")
            return interview.wrote()
        }
        try Self.say("\nThese changes would be written:")
        // Do not wrap the lines of a diff.
        print(plan.description.withoutTerminalCommands)
        guard try asker.confirm("Write them?") else { throw CommandError("nothing was written") }
        let passphrase = plan.keyPlace == .passphrase ? try asker.passphrase() : nil
        let sealing = sealing
        key = try Uninterrupted.run { try plan.carryOut(sealing: sealing, passphrase: passphrase) }
        interview.wrote()
    }

    private var closingWords: String {
        let option = interview.found.path == ConfigurationOption.usual ? "" : " --config \(interview.found.path)"
        let start =
            interview.found.isSystem ? "systemctl enable --now \(interview.found.service)" : "offhook run\(option)"
        return """

            Next steps:
              \(start)
              offhook ctl status\(option)
              offhook doctor\(option)
            """
    }
}

extension String {
    /// Keeps line breaks, and removes control characters from each line.
    var withoutTerminalCommands: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withoutCommands }
            .joined(separator: "\n")
    }
}

/// Runs the trials, and offers remedies when one fails.
extension SetupSession {
    func rehearse(_ route: Route) throws -> SetupFailure? {
        let media = try settings().media
        guard asker.isPerson else {
            try Self.say("\(route.rawValue): \(SoundRehearsal.open(media, route))")
            return nil
        }
        let verdict = try SoundRehearsal(settings: media, route: route, tell: Self.say).run()
        guard verdict.isGood else { return SetupFailure("What now?", [.again, .change, .keep]) }
        guard try asker.confirm("Did you hear the tone, and yourself?") else {
            return SetupFailure(
                "Choose another card, or raise its level with alsamixer.", [.change, .again, .keep])
        }
        return nil
    }

    func tryRinger() throws -> SetupFailure? {
        try Self.say("ringer: \(SoundTrial.ringer(settings().media))")
        return nil
    }

    func tryAccount() throws -> SetupFailure? {
        guard let account = try interview.account else { return nil }
        try Self.say("Registering at \(account.server) …")
        let stored = try storedAccounts()
        let verdict = try AccountTrial(
            .fresh(account, beside: stored), among: stored, settings: settings()
        ).run()
        let sentence = verdict.sentence(account.server)
        guard !verdict.isGood else {
            try Self.say(sentence)
            return nil
        }
        return SetupFailure(sentence, remedies(for: verdict))
    }

    private func remedies(for verdict: RegistrationVerdict) -> [SetupRemedy] {
        let usual: [SetupRemedy] = [.change, .again, .keep, .leave]
        switch verdict {
        case .unknownAuthority(_, let shown): return [.change, .authorities, .pin(shown.text)] + usual.dropFirst()
        case .otherName(_, let shown), .outOfDate(_, let shown), .otherPin(let shown):
            return [.change, .pin(shown.text)] + usual.dropFirst()
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .silent, .connectionRefused,
            .unreachable, .speaksTLS, .speaksNoTLS, .speaksOldTLS, .other:
            return usual
        }
    }

    func tryCall() throws -> SetupFailure? {
        guard let number = interview.answers[.testCall] else { return nil }
        let file = try interview.configuration()
        let call = TestCall(configuration: file.after, path: file.path)
        let isLoopback = number == "loopback"
        try Self.say(isLoopback ? "Calling a second phone on this machine …" : "Calling \(number) …")
        let accounts = isLoopback ? [] : try storedAccounts().map(\.account)
        let label = try interview.account?.label
        let verdict = try Uninterrupted.run {
            guard !isLoopback else { return try call.callOverLoopback() }
            guard let account = accounts.first(where: { $0.label == label }) ?? accounts.first else {
                return CallVerdict.failed("the vault has no account")
            }
            return try call.call(number, by: account, among: accounts)
        }
        guard !verdict.isGood else {
            try Self.say(verdict.sentence)
            return nil
        }
        return SetupFailure(verdict.sentence, [.again, .change, .keep])
    }
}

extension StoredAccount {
    /// An account as the vault would store it, beside its other accounts.
    static func fresh(_ account: Account, beside others: [StoredAccount]) -> StoredAccount {
        let identifier = AccountID((others.map(\.id.rawValue).max() ?? 0) + 1)
        var digits = ""
        for _ in 0..<32 { digits += String(UInt8.random(in: 0..<16), radix: 16) }
        return StoredAccount(
            id: identifier, created: WallTime(unixMilliseconds: 0), device: digits, account: account)
    }
}
