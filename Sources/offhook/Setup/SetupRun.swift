import Base
import Media
import PhoneCore
import Vault

/// Carries out the steps of `SetupInterview` until it is done.
struct SetupRun {
    private(set) var interview: SetupInterview
    let asker: any SetupAsker
    private let sealing: SealingOptions
    /// The key of the vault that this run has created.
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
        if asker.isPerson, let title = question.key.heading, title != heading {
            heading = title
            try Self.say("\n\(title)")
        }
        var refusal: SetupRefusal?
        repeat {
            let secret = question.isSecret ? try asker.secret(question, refused: refusal) : nil
            let answer = question.isSecret ? "" : try asker.answer(to: question, refused: refusal)
            do throws(SetupRefusal) {
                if question.isSecret { try interview.answer(secret: secret) } else { try interview.answer(answer) }
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

extension SetupKey {
    /// The heading of the question's part; nil: it belongs to the previous part.
    fileprivate var heading: String? {
        switch self {
        case .sound, .country, .handset, .speaker, .headset, .ringer: "Sound"
        case .panel, .board: "Panel"
        case .vault: "Vault"
        case .account, .label, .kind, .login, .user, .authUser, .displayName, .server, .domain, .transport, .protection,
            .ice, .stun, .turn, .turnPassword, .authorities, .pin, .password, .token:
            "Account"
        case .testCall: "Test call"
        case .remedy: nil
        }
    }
}

extension String {
    /// Keeps line breaks, and removes control characters from each line.
    fileprivate var withoutTerminalCommands: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withoutCommands }
            .joined(separator: "\n")
    }
}
