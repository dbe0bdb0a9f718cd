import Base
import Control
import PhoneCore
import SoundCore
import Vault

/// Decides the next step from findings and answers so far: a question, a trial or writing. It does nothing itself.
package struct SetupInterview: Sendable {
    package enum Step: Equatable, Sendable {
        case ask(SetupQuestion)
        case attempt(SetupTrial)
        /// All answers for the files are known.
        case write
        case done
    }

    /// Gives an answer in its stored form.
    typealias Check = (String) throws(SetupRefusal) -> String

    enum Item {
        case question(SetupQuestion, isAsked: Bool, check: Check)
        case attempt(SetupTrial)
        case write
    }

    let found: SetupFindings
    package private(set) var answers: [SetupKey: String]
    /// The secrets by their questions. No password: the server needs none.
    private(set) var secrets: [SetupKey: Redacted<String>] = [:]
    /// Withdrawn answers. They are the defaults when the question comes again.
    private(set) var former: [SetupKey: String] = [:]
    /// Devices that failed their trials. They can be chosen again, but are no longer the default.
    private(set) var failedDevices: [SetupKey: Set<String>] = [:]
    /// Questions that are not asked by default, but that a file answers or a failed trial needs.
    private(set) var wanted: Set<SetupKey>
    private var settled: Set<SetupTrial>
    private var failed: (trial: SetupTrial, why: SetupFailure)?
    private var isWritten = false

    /// - Parameters:
    ///   - given: Answers that are already known, from a file. Their questions are skipped.
    ///   - wanted: Questions to ask in any case.
    ///   - untried: Trials to skip.
    package init(
        _ found: SetupFindings, given: [SetupKey: String] = [:], wanted: Set<SetupKey> = [],
        untried: Set<SetupTrial> = []
    ) {
        (self.found, answers, self.wanted, settled) = (found, given, wanted, untried)
    }

    package var next: Step {
        if let failed { return .ask(failed.why.question) }
        for (title, items) in parts {
            for item in items {
                switch item {
                case .question(let question, isAsked: true, _) where answers[question.key] == nil:
                    return .ask(remembering(question, title))
                case .attempt(let trial) where isTried(trial) && !settled.contains(trial): return .attempt(trial)
                case .write where !isWritten: return .write
                case .question, .attempt, .write: continue
                }
            }
        }
        return .done
    }

    private func isTried(_ trial: SetupTrial) -> Bool {
        switch trial {
        case .route, .ringer: ![nil, "none", "null"].contains(answers[trial.key])
        case .account: true
        case .call: ![nil, "none"].contains(answers[.testCall])
        }
    }

    /// A question with its title and its former answer. That may be impossible now, because it depends on the kind of the
    /// account.
    private func remembering(_ question: SetupQuestion, _ title: String) -> SetupQuestion {
        var question = question
        question.title = title
        if let answer = former[question.key], question.kind != .choice || question.offers(answer) {
            question.usual = answer
        }
        return question
    }

    /// A question of a chosen part, and the check of its answer.
    func question(_ key: SetupKey) -> (question: SetupQuestion, check: Check)? {
        for item in parts.flatMap(\.items) {
            if case .question(let question, _, let check) = item, question.key == key { return (question, check) }
        }
        return nil
    }

    // MARK: Answers

    /// Takes the answer to the present question.
    package mutating func answer(_ text: String) throws(SetupRefusal) {
        guard case .ask(let question) = next else { return }
        let answer = try checked(text, for: question)
        guard question.key != .remedy else { return remedy(answer) }
        answers[question.key] = answer
    }

    /// Takes the secret that the present question asks for. Nil: the server needs no password.
    package mutating func answer(secret: Redacted<String>?) throws(SetupRefusal) {
        guard case .ask(let question) = next, question.isSecret else { return }
        if question.key != .password, secret == nil { throw SetupRefusal("an answer is needed") }
        if question.key == .token, let secret, !Account.isToken(secret) {
            throw SetupRefusal("expected \(Account.tokenRule)")
        }
        secrets[question.key] = secret
        answers[question.key] = ""
    }

    /// Ends the present trial. Nil: it succeeded.
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
            takeBack(failed.trial == .account ? Self.ofAccount : [failed.trial.key])
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

    /// The questions about an account, except those that a remedy asks.
    private static let ofAccount = SetupKey.below("account").filter { ![.pin, .authorities].contains($0) }
}

/// Facts from the answers so far.
extension SetupInterview {
    var kind: AccountServer.Kind { answers[.kind].flatMap(AccountServer.Kind.init) ?? .sip }
    /// Whether the account logs in by a token.
    var hasToken: Bool { kind == .telnyx && answers[.login] == Self.byToken }
    var needsRelay: Bool { answers[.ice] == Account.ICE.Policy.relayed.rawValue }
}

/// Why an answer was rejected, for a person.
package struct SetupRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Checks the answers, and gives them in their stored form.
extension SetupInterview {
    /// A choice may be given by its number.
    private func checked(_ text: String, for question: SetupQuestion) throws(SetupRefusal) -> String {
        var text = text.isEmpty ? question.usual ?? "" : Self.trimmed(text)
        if question.kind != .number, let number = Int(text), question.choices.indices.contains(number - 1) {
            text = question.choices[number - 1].value
        }
        guard question.kind != .choice || question.offers(text) else {
            let list = question.choices.map(\.value).joined(separator: ", ")
            throw SetupRefusal("\"\(text.shown(bytes: 64))\" is not one of \(list)")
        }
        return try self.question(question.key)?.check(text) ?? text
    }

    func checkedText(_ text: String) throws(SetupRefusal) -> String {
        guard !text.isEmpty else { throw SetupRefusal("an answer is needed") }
        guard AccountCommand.isPrintable(text), text.utf8.count <= 256 else {
            throw SetupRefusal("expected at most 256 bytes of text without control characters")
        }
        return text
    }

    func checkedCountry(_ text: String) throws(SetupRefusal) -> String {
        guard let country = ToneCountry(rawValue: text.uppercased()) else {
            throw SetupRefusal("expected one of the listed countries")
        }
        return country.rawValue
    }

    func checkedDevice(_ text: String) throws(SetupRefusal) -> String {
        guard try DevicePair(checkedText(text)).isPlausible else {
            throw SetupRefusal("expected one ALSA device, or `CAPTURE | PLAYBACK`, of at most 128 bytes each")
        }
        return text
    }

    func checkedSpeaker(_ text: String) throws(SetupRefusal) -> String {
        guard try checkedDevice(text) != "none" || answers[.handset] != "none" else {
            throw SetupRefusal("a phone needs at least a handset or a speaker")
        }
        return text
    }

    func checkedLabel(_ text: String) throws(SetupRefusal) -> String {
        guard !found.accounts.contains(text) else {
            throw SetupRefusal("an account \"\(text)\" already exists")
        }
        return try checkedText(text)
    }

    func checkedUser(_ text: String) throws(SetupRefusal) -> String {
        try Self.refused { () throws(AccountRefusal) in try AccountDraft.checkedUser(text) }
    }

    /// Whether a server may have a path depends on the transport, which is not known yet.
    func checkedServer(_ text: String) throws(SetupRefusal) -> String {
        do {
            _ = try HostAndPort.parse(server: text, allowsPath: true)
            return text
        } catch {
            throw SetupRefusal("expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        }
    }

    func checkedTransport(_ text: String) throws(SetupRefusal) -> String {
        guard let transport = Account.Transport(rawValue: text), let server = answers[.server] else {
            return text
        }
        let account = Account(
            kind: kind, label: "", user: "", server: server.prefix { $0 != ":" && $0 != "/" }.description,
            transport: transport, password: Redacted("a password"))
        guard !account.sendsPasswordInClear else {
            throw SetupRefusal(
                "Verto over ws sends the password unencrypted; `offhook account add --allow-clear-password` allows it")
        }
        return text
    }

    func checkedSTUN(_ text: String) throws(SetupRefusal) -> String {
        if text != Self.noServer { _ = try Self.refused { () throws(AccountRefusal) in try ICEServerText.stun(text) } }
        return text
    }

    func checkedTURN(_ text: String) throws(SetupRefusal) -> String {
        guard text != Self.noServer || !needsRelay else { throw SetupRefusal("relayed needs a TURN server") }
        if text != Self.noServer { _ = try Self.refused { () throws(AccountRefusal) in try ICEServerText.turn(text) } }
        return text
    }

    private static func refused<Value>(_ check: () throws(AccountRefusal) -> Value) throws(SetupRefusal) -> Value {
        do throws(AccountRefusal) {
            return try check()
        } catch {
            throw SetupRefusal(error.why)
        }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
