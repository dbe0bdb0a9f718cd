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
        .question(.account), .question(.label), .question(.kind), .question(.login), .question(.user),
        .question(.authUser), .question(.server), .question(.transport), .question(.protection), .question(.ice),
        .question(.stun), .question(.turn), .question(.turnPassword), .question(.authorities), .question(.password),
        .question(.token), .attempt(.account),
        .write,
        .question(.testCall), .attempt(.call),
    ]

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

    // MARK: Conditions of questions and trials

    private func isAsked(_ key: SetupKey) -> Bool {
        switch key {
        case .sound, .panel, .testCall: true
        case .country, .handset: answers[.sound] == "yes"
        case .speaker, .headset, .ringer:
            answers[.sound] == "yes" && (answers[.handset] != "null" || hasSound || wanted.contains(key))
        case .board: answers[.panel] == "yes"
        case .vault: !found.hasVault
        case .account: found.hasVault || answers[.vault] != "none"
        case .displayName, .domain, .pin, .remedy: false
        case .label, .kind, .login, .user, .authUser, .server, .transport, .protection, .ice, .stun, .turn,
            .turnPassword, .authorities, .password, .token:
            answers[.account] == "yes" && isOfAccount(key)
        }
    }

    /// Whether the account needs the answer. Telnyx's usual values are known, so they are asked only if wanted.
    private func isOfAccount(_ key: SetupKey) -> Bool {
        switch key {
        case .login: kind == .telnyx
        case .user: !hasToken || wanted.contains(key)
        case .authUser: !hasToken && wanted.contains(key)
        case .authorities: wanted.contains(key)
        case .transport, .ice: kind != .telnyx || wanted.contains(key)
        case .protection: kind == .sip || wanted.contains(key)
        case .stun, .turn:
            wanted.contains(key) || kind != .telnyx && ["always", "relayed"].contains(answers[.ice])
        case .turnPassword: ![nil, Self.noServer].contains(answers[.turn])
        case .password: !hasToken
        case .token: hasToken
        default: true
        }
    }

    var kind: Account.Kind { answers[.kind].flatMap(Account.Kind.init) ?? .sip }
    /// Whether the account logs in by a token.
    var hasToken: Bool { kind == .telnyx && answers[.login] == Self.byToken }

    /// Whether there is any choice besides silence.
    private var hasSound: Bool { !found.cards.isEmpty || found.devices.count > 1 }

    private func isTried(_ trial: SetupTrial) -> Bool {
        switch trial {
        case .route, .ringer: answers[.sound] == "yes" && ![nil, "none", "null"].contains(answers[trial.key])
        case .account: answers[.account] == "yes"
        case .call: ![nil, "none"].contains(answers[.testCall])
        }
    }
}

/// Why an answer was rejected, for a person.
package struct SetupRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Checks the answers.
extension SetupInterview {
    /// Checks an answer, and returns it in its stored form. A choice may be given by its number.
    func checked(_ text: String, for question: SetupQuestion) throws(SetupRefusal) -> String {
        let text = text.isEmpty ? question.usual ?? "" : Self.trimmed(text)
        if question.isNumbered, let number = Int(text), question.choices.indices.contains(number - 1) {
            return try checked(question.choices[number - 1].value, for: question)
        }
        guard question.isOpen || question.choices.contains(where: { $0.value == text }) else {
            let list = question.choices.map(\.value).joined(separator: ", ")
            throw SetupRefusal("\"\(text.shown(bytes: 64))\" is not one of \(list)")
        }
        return try checked(text, for: question.key)
    }

    /// Checks an answer by its question's key, regardless of the choices.
    func checked(_ text: String, for key: SetupKey) throws(SetupRefusal) -> String {
        switch key {
        case .country:
            let country = text.uppercased()
            guard ToneCountry(rawValue: country) != nil else {
                throw SetupRefusal("expected one of the listed countries")
            }
            return country
        case .handset, .headset, .ringer: try Self.checkDevice(text)
        case .speaker:
            try Self.checkDevice(text)
            guard text != "none" || answers[.handset] != "none" else {
                throw SetupRefusal("a phone needs at least a handset or a speaker")
            }
        case .label:
            guard !found.accounts.contains(text) else { throw SetupRefusal("an account \"\(text)\" already exists") }
            try Self.checkText(text)
        case .user: try Self.refused { () throws(AccountRefusal) in _ = try AccountDraft.checkedUser(text) }
        case .server: try Self.checkServer(text)
        case .domain: try Self.refused { () throws(AccountRefusal) in _ = try AccountDraft.checkedDomain(text) }
        case .transport: try checkTransport(text)
        case .stun where text != Self.noServer:
            try Self.refused { () throws(AccountRefusal) in _ = try ICEServerText.stun(text) }
        case .turn: try checkTurn(text)
        case .authUser, .displayName, .authorities, .testCall: try Self.checkText(text)
        case .sound, .panel, .board, .vault, .account, .kind, .login, .protection, .ice, .stun, .turnPassword, .pin,
            .password, .token, .remedy:
            break
        }
        return text
    }

    private func checkTransport(_ text: String) throws(SetupRefusal) {
        guard let transport = Account.Transport(rawValue: text), let server = answers[.server] else { return }
        let account = Account(
            kind: kind, label: "", user: "", server: server.prefix { $0 != ":" && $0 != "/" }.description,
            transport: transport, password: Redacted("a password"))
        guard !account.sendsPasswordInClear else {
            throw SetupRefusal(
                "Verto over ws sends the password unencrypted; `offhook account add --allow-clear-password` allows it")
        }
    }

    private func checkTurn(_ text: String) throws(SetupRefusal) {
        guard text == Self.noServer else {
            return try Self.refused { () throws(AccountRefusal) in _ = try ICEServerText.turn(text) }
        }
        guard answers[.ice] != Account.ICE.Policy.relayed.rawValue else {
            throw SetupRefusal("relayed needs a TURN server")
        }
    }

    private static func refused(_ check: () throws(AccountRefusal) -> Void) throws(SetupRefusal) {
        do {
            try check()
        } catch {
            throw SetupRefusal(error.why)
        }
    }

    private static func checkDevice(_ text: String) throws(SetupRefusal) {
        try checkText(text)
        guard DevicePair(text).isPlausible else {
            throw SetupRefusal("expected one ALSA device, or `CAPTURE | PLAYBACK`, of at most 128 bytes each")
        }
    }

    /// Checks a server. Whether it may have a path depends on the transport, which is not known yet.
    private static func checkServer(_ text: String) throws(SetupRefusal) {
        do {
            _ = try HostAndPort.parse(server: text, allowsPath: true)
        } catch {
            throw SetupRefusal("expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        }
    }

    private static func checkText(_ text: String) throws(SetupRefusal) {
        guard !text.isEmpty else { throw SetupRefusal("an answer is needed") }
        guard AccountCommand.isPrintable(text), text.utf8.count <= 256 else {
            throw SetupRefusal("expected at most 256 bytes of text without control characters")
        }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
