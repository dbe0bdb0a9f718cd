import Base
import SIPCore

/// Reads unsolicited NOTIFYs about messages that wait at the account's server (RFC 3842).
struct MessageWaiting: Equatable, Sendable {
    /// Identifies a NOTIFY, to detect one that a later one has overtaken.
    private struct Notice: Equatable {
        let callID: String
        let sequence: UInt32
    }

    private var last: Notice?

    /// Reads a NOTIFY of the account's server.
    /// - Returns: The number of new voice messages. Nil if the NOTIFY has no summary.
    mutating func receive(_ request: SIPRequest) throws(RequestRefusal) -> Int? {
        let (package, notice): (String, Notice)
        do throws(SIPParseError) {
            package = try request.headers.required(.event, as: LooseValue.self).word
            notice = Notice(callID: try request.headers.callID, sequence: try request.headers.cSeq.number)
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard package == MessageSummary.package else { throw .badEvent(allowing: [MessageSummary.package]) }
        if let last, last.callID == notice.callID, last.sequence >= notice.sequence {
            throw RequestRefusal(.serverInternalError)
        }
        guard !request.body.isEmpty else { return nil }
        let summary = try MessageSummary(in: request)
        last = notice
        return summary.newVoiceMessages
    }
}

/// The summary of an account's waiting messages, as a server sends it (RFC 3842 §5.2):
///
///     Messages-Waiting: yes
///     Voice-Message: 2/8 (0/2)
struct MessageSummary: Equatable, Sendable {
    static let package = "message-summary"
    static let mediaType = "application/simple-message-summary"
    /// Some servers write this instead of `mediaType`.
    private static let looseMediaType = "text/plain"

    /// The number of new voice messages. It is 1 if the server reports new messages without a count.
    let newVoiceMessages: Int

    /// Reads the summary in a NOTIFY, and ignores lines that are not about voice.
    /// - Throws: The refusal of an invalid body.
    init(in request: SIPRequest) throws(RequestRefusal) {
        let type = (try? request.headers.contentType)?.name ?? Self.mediaType
        guard type == Self.mediaType || type == Self.looseMediaType else {
            throw .unsupportedMediaType(accepting: [Self.mediaType])
        }
        let body = request.body.starts(with: [0xEF, 0xBB, 0xBF]) ? request.body.dropFirst(3) : request.body[...]
        let lines = String(decoding: body, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // Headers of single messages may follow after an empty line.
        let fields = lines.drop(while: \.isEmpty).prefix { !$0.isEmpty }.compactMap { Self.field($0) }
        func value(_ name: String) -> Substring? { fields.first { $0.name == name }?.value }
        let count = value("voice-message").flatMap { Self.count($0) }
        let word = value("messages-waiting")?.lowercased().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        switch (word, count) {
        case ("no", _), ("false", _), ("0", _): newVoiceMessages = 0
        case ("yes", let count), ("true", let count), ("1", let count): newVoiceMessages = count ?? 1
        case (_, let count?): newVoiceMessages = count
        case (_, nil): throw RequestRefusal(.badRequest)
        }
    }

    private static func field(_ line: Substring) -> (name: String, value: Substring)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].trimmed.lowercased()
        return name.isEmpty ? nil : (name, line[colon...].dropFirst().trimmed)
    }

    /// The first number of `new/old`. The urgent ones may follow in parentheses. Some servers write only `new`.
    private static func count(_ value: Substring) -> Int? {
        let counts = value.prefix { $0 != "(" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { number($0.trimmed) }
        return counts.count <= 2 && counts.allSatisfy { $0 != nil } ? counts[0] : nil
    }

    private static func number(_ digits: Substring) -> Int? {
        !digits.isEmpty && digits.isDecimal ? UInt32(digits).map { Int($0) } : nil
    }
}
