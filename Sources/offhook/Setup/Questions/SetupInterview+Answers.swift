import Base
import SoundCore

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
        case .user, .authUser, .displayName:
            try Self.checkText(text)
            guard key != .user || !text.contains(where: { $0 == "@" || $0.isWhitespace }) else {
                throw SetupRefusal("expected only the part of the address before the @")
            }
        case .server: try Self.checkServer(text, allowsPath: true)
        case .domain: try Self.checkServer(text, allowsPath: false)
        case .authorities, .testCall: try Self.checkText(text)
        case .sound, .panel, .board, .vault, .account, .transport, .protection, .pin, .password, .remedy: break
        }
        return text
    }

    private static func checkDevice(_ text: String) throws(SetupRefusal) {
        try checkText(text)
        guard DevicePair(text).isPlausible else {
            throw SetupRefusal("expected one ALSA device, or `CAPTURE | PLAYBACK`, of at most 128 bytes each")
        }
    }

    /// Checks a server. Whether it may have a path depends on the transport, which is not known yet.
    private static func checkServer(_ text: String, allowsPath: Bool) throws(SetupRefusal) {
        do {
            _ = try HostAndPort.parse(server: text, allowsPath: allowsPath)
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
