import Base
import PhoneCore

/// The order of questions and trials: from what was found and answered so far to what comes next. It neither asks nor
/// tries anything itself.
package struct SetupInterview: Sendable {
    package enum Step: Equatable, Sendable {
        case ask(SetupQuestion)
        case attempt(SetupTrial)
        /// Everything that files need is known.
        case write
        case done
    }

    private enum Item {
        case question(SetupKey)
        case attempt(SetupTrial)
        case write
    }

    private static let agenda: [Item] = [
        .question(.sound), .question(.country), .question(.handset), .attempt(.route(.handset)),
        .question(.speaker), .attempt(.route(.speaker)), .question(.headset), .attempt(.route(.headset)),
        .question(.ringer), .attempt(.ringer),
        .question(.panel), .question(.board),
        .question(.vault),
        .question(.account), .question(.label), .question(.user), .question(.authUser), .question(.server),
        .question(.transport), .question(.protection), .question(.authorities), .question(.password),
        .attempt(.account),
        .write,
        .question(.testCall), .attempt(.call),
    ]

    let found: SetupFindings
    package private(set) var answers: [SetupKey: String]
    /// Nil: the server asks for none.
    package private(set) var password: Redacted<String>?
    /// Answers that were taken back. They are the usual ones when the question comes again.
    private(set) var former: [SetupKey: String] = [:]
    /// Devices that failed their trials. They may be chosen again, but not by pressing Enter only.
    private(set) var failedDevices: [SetupKey: Set<String>] = [:]
    /// Questions that are asked although they seldom matter: a file answers them, or a trial has shown that they do.
    private(set) var wanted: Set<SetupKey>
    private var settled: Set<SetupTrial>
    private var failed: (trial: SetupTrial, why: SetupFailure)?
    private var isWritten = false

    /// - Parameters:
    ///   - given: Answers that are known before: from a file. They are not asked for.
    ///   - wanted: Questions that are asked in any case.
    ///   - untried: Trials that are left out.
    package init(
        _ found: SetupFindings, given: [SetupKey: String] = [:], wanted: Set<SetupKey> = [],
        untried: Set<SetupTrial> = []
    ) {
        (self.found, answers, self.wanted, settled) = (found, given, wanted, untried)
    }

    package var next: Step {
        if let failed { return .ask(question(about: failed.why)) }
        for item in Self.agenda {
            switch item {
            case .question(let key) where isAsked(key) && answers[key] == nil: return .ask(question(key))
            case .attempt(let trial) where isTried(trial) && !settled.contains(trial): return .attempt(trial)
            case .write where !isWritten: return .write
            case .question, .attempt, .write: continue
            }
        }
        return .done
    }

    /// Takes the answer to the question that is next.
    package mutating func answer(_ text: String) throws(SetupRefusal) {
        guard case .ask(let question) = next else { return }
        let answer = try checked(text, for: question)
        guard question.key != .remedy else { return remedy(answer) }
        answers[question.key] = answer
    }

    /// Takes a password. Nil: the server asks for none.
    package mutating func answer(password secret: Redacted<String>?) {
        guard case .ask(let question) = next, question.isSecret else { return }
        password = secret
        answers[.password] = ""
    }

    /// A trial that was next is over. Nil: it succeeded.
    package mutating func conclude(_ trial: SetupTrial, _ failure: SetupFailure?) {
        guard let failure else {
            settled.insert(trial)
            return
        }
        failed = (trial, failure)
    }

    package mutating func wrote() { isWritten = true }

    // MARK: After a failure

    /// - Parameter answer: A choice of the question.
    private mutating func remedy(_ answer: String) {
        guard let failed, let remedy = failed.why.remedies.first(where: { $0.choice.value == answer }) else { return }
        self.failed = nil
        switch remedy {
        case .again: break
        case .keep: settled.insert(failed.trial)
        case .leave: answers[failed.trial.key] = "no"
        case .change:
            wanted.insert(.authUser)
            takeBack(failed.trial == .account ? SetupKey.ofAccount : [failed.trial.key])
        case .pin(let fingerprint): answers[.pin] = fingerprint
        case .authorities:
            wanted.insert(.authorities)
            takeBack([.authorities])
        }
    }

    private mutating func takeBack(_ keys: [SetupKey]) {
        for key in keys {
            guard let answer = answers.removeValue(forKey: key) else { continue }
            if SetupKey.devices.contains(key) {
                failedDevices[key, default: []].insert(answer)
            } else {
                former[key] = answer
            }
        }
    }

    // MARK: What is asked, and what is tried

    private func isAsked(_ key: SetupKey) -> Bool {
        switch key {
        case .sound, .panel, .testCall: true
        case .country, .handset: answers[.sound] == "yes"
        case .speaker, .headset, .ringer:
            answers[.sound] == "yes" && (answers[.handset] != "null" || hasSound || wanted.contains(key))
        case .board: answers[.panel] == "yes"
        case .vault: !found.hasVault
        case .account: found.hasVault || answers[.vault] != "none"
        case .authUser, .authorities: wanted.contains(key) && answers[.account] == "yes"
        case .label, .user, .server, .transport, .protection, .password: answers[.account] == "yes"
        case .displayName, .domain, .pin, .remedy: false
        }
    }

    /// Whether there is anything to choose from besides silence.
    private var hasSound: Bool { !found.cards.isEmpty || found.devices.count > 1 }

    private func isTried(_ trial: SetupTrial) -> Bool {
        switch trial {
        case .route, .ringer: answers[.sound] == "yes" && ![nil, "none", "null"].contains(answers[trial.key])
        case .account: answers[.account] == "yes"
        case .call: ![nil, "none"].contains(answers[.testCall])
        }
    }
}

/// Why an answer was not taken, for the person who gave it.
package struct SetupRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
