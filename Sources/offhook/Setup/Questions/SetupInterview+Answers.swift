import Base
import SoundCore

/// Which answers are taken.
extension SetupInterview {
    /// The answer as it is kept. A choice may be named by its number.
    func checked(_ text: String, for question: SetupQuestion) throws(SetupRefusal) -> String {
        let text = text.isEmpty ? question.usual ?? "" : Self.trimmed(text)
        if question.isNumbered, let number = Int(text), question.choices.indices.contains(number - 1) {
            return try checked(question.choices[number - 1].value, for: question)
        }
        guard question.isOpen || question.choices.contains(where: { $0.value == text }) else {
            let list = question.choices.map(\.value).joined(separator: ", ")
            throw SetupRefusal("\"\(text.shown(bytes: 64))\" is none of \(list)")
        }
        return try checked(text, for: question.key)
    }

    /// The answer to a question by its key, whatever its choices are.
    func checked(_ text: String, for key: SetupKey) throws(SetupRefusal) -> String {
        switch key {
        case .country:
            let country = text.uppercased()
            guard ToneCountry(rawValue: country) != nil else { throw SetupRefusal("this country's tones are unknown") }
            return country
        case .handset, .headset, .ringer: try Self.checkDevice(text)
        case .speaker:
            try Self.checkDevice(text)
            guard text != "none" || answers[.handset] != "none" else {
                throw SetupRefusal("a phone needs at least a handset or a speaker")
            }
        case .label:
            guard !found.accounts.contains(text) else { throw SetupRefusal("there is an account \"\(text)\" already") }
            try Self.checkText(text)
        case .user, .authUser, .displayName:
            try Self.checkText(text)
            guard key != .user || !text.contains(where: { $0 == "@" || $0.isWhitespace }) else {
                throw SetupRefusal("only what stands before the @ of the address")
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
            throw SetupRefusal("one ALSA device, or `CAPTURE | PLAYBACK`, of at most 128 letters each")
        }
    }

    /// Whether a path is in its place is known with the transport only.
    private static func checkServer(_ text: String, allowsPath: Bool) throws(SetupRefusal) {
        do {
            _ = try HostAndPort.parse(server: text, allowsPath: allowsPath)
        } catch {
            throw SetupRefusal("expected NAME, NAME:PORT, ADDRESS or [IPV6]:PORT")
        }
    }

    private static func checkText(_ text: String) throws(SetupRefusal) {
        guard !text.isEmpty else { throw SetupRefusal("this needs an answer") }
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
