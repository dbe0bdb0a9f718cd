/// The summary of the messages that wait for an account, as a server sends it (RFC 3842 §5.2):
///
///     Messages-Waiting: yes
///     Voice-Message: 2/8 (0/2)
struct MessageSummary: Equatable, Sendable {
    static let package = "message-summary"
    static let mediaType = "application/simple-message-summary"

    /// The number of new voice messages. It is 1 if the server says that there are some but does not count them.
    let newVoiceMessages: Int

    /// Nil if the body is no summary.
    init?(_ body: [UInt8]) {
        let lines = String(decoding: body, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // Headers of single messages may follow after an empty line.
        let fields = lines.drop(while: \.isEmpty).prefix { !$0.isEmpty }.map { Self.field($0) }
        guard fields.allSatisfy({ $0 != nil }), let status = fields.first.flatMap({ $0 }),
            status.name == "messages-waiting"
        else { return nil }
        let voice = fields.compactMap { $0 }.filter { $0.name == "voice-message" }.map { Self.count($0.value) }
        guard voice.count <= 1, voice.allSatisfy({ $0 != nil }) else { return nil }
        switch status.value.lowercased() {
        case "yes": newVoiceMessages = voice.first.flatMap { $0 } ?? 1
        case "no": newVoiceMessages = 0
        default: return nil
        }
    }

    private static func field(_ line: Substring) -> (name: String, value: Substring)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].trimmed.lowercased()
        return name.isEmpty ? nil : (name, line[colon...].dropFirst().trimmed)
    }

    /// The first number of `new/old`. The urgent ones may follow in parentheses.
    private static func count(_ value: Substring) -> Int? {
        let counts = value.prefix { $0 != "(" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { number($0.trimmed) }
        guard counts.count == 2, counts[1] != nil else { return nil }
        return counts[0]
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(digits).map { Int($0) } : nil
    }
}
