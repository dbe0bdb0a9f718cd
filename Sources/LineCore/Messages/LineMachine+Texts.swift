import Base
import SIPCore

/// Texts for the display (RFC 3428).
extension LineMachine {
    /// The longest text that is taken, in bytes. A sender may send 1,300 where it does not know the way (RFC 3428 §8).
    public static let textLimit = 2_000

    private static let textType = "text/plain"
    private static let charsets: Set<String> = ["utf-8", "us-ascii"]

    mutating func messaged(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant) {
        if let refusal = refusalOfExtensions(request, knowing: []) {
            return handle(layer.respond(refusal, to: id, at: now), at: now)
        }
        guard request.body.count <= Self.textLimit else { return answer(request, .requestEntityTooLarge, id, at: now) }
        // Empty ones are how some servers look whether we are there.
        guard !request.body.isEmpty else { return answer(request, .ok, id, at: now) }
        guard request.isPlainText(in: Self.charsets, type: Self.textType) else {
            return refuse(request, accepting: [Self.textType], id, at: now)
        }
        guard let text = String(validating: request.body, as: UTF8.self) else {
            return answer(request, .badRequest, id, at: now)
        }
        guard texts.admit(at: now) else {
            return handle(layer.respond(refusalForNow(of: request), to: id, at: now), at: now)
        }
        // 200 says that it has arrived, and has no Contact: a text begins no dialog (RFC 3428 §7).
        answer(request, .ok, id, at: now)
        let shown = text.asShownText
        guard !shown.isEmpty else { return }
        outputs.append(.text(caller(request, over: flow, at: now), shown))
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
    /// Lines without control characters, and without empty ones around them.
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
