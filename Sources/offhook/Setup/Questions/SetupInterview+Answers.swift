import Base
import Control
import SoundCore
import Vault

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
