import Base
import SIPCore

/// Reads texts to show (RFC 3428), at a rate at which a person can read them.
package struct TextMessages: Sendable {
    private static let type = "text/plain"
    private static let charsets: Set<String> = ["utf-8", "us-ascii"]

    private var rate = RateLimit(burst: 10, interval: .seconds(2))

    package init() {}

    /// Reads a MESSAGE.
    /// - Returns: The text to show after its 200. Nil if it is empty, as in messages by which some servers check that
    ///   we are there.
    package mutating func receive(_ request: SIPRequest, at now: Instant) throws(RequestRefusal) -> String? {
        guard request.body.count <= LineMachine.textLimit else { throw RequestRefusal(.requestEntityTooLarge) }
        guard !request.body.isEmpty else { return nil }
        guard request.isPlainText(in: Self.charsets, type: Self.type) else {
            throw .unsupportedMediaType(accepting: [Self.type])
        }
        guard let text = String(validating: request.body, as: UTF8.self) else { throw RequestRefusal(.badRequest) }
        guard rate.admit(at: now) else { throw .tooOften }
        let shown = text.asShownText
        return shown.isEmpty ? nil : shown
    }

    /// Reads a text that came by other means than a MESSAGE.
    /// - Returns: The text to show. Nil if it is empty or too long, or if texts come too often.
    mutating func receive(_ text: String, at now: Instant) -> String? {
        guard text.utf8.count <= LineMachine.textLimit else { return nil }
        let shown = text.asShownText
        return shown.isEmpty || !rate.admit(at: now) ? nil : shown
    }
}

extension SIPRequest {
    fileprivate func isPlainText(in charsets: Set<String>, type: String) -> Bool {
        guard let content = try? headers.contentType, content.name == type else { return false }
        let coding = headers[SIPHeaderName("Content-Encoding")]?.lowercased() ?? "identity"
        let charset = content.parameters["charset"]?.lowercased() ?? "utf-8"
        return coding == "identity" && charsets.contains(charset)
    }
}

extension String {
    /// The lines without control characters, and without empty lines at the beginning and the end.
    fileprivate var asShownText: String {
        let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            String(line.map { $0 == "\t" ? " " : $0 }).shown(bytes: LineMachine.textLimit)
        }
        let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) }
        let last = lines.lastIndex { !$0.allSatisfy(\.isWhitespace) }
        guard let first, let last else { return "" }
        return lines[first...last].joined(separator: "\n")
    }
}

extension SIPStatus {
    fileprivate static let requestEntityTooLarge = SIPStatus(413)
}
