import Base
import JSON

/// Formats an event as one line for a person: seconds, name and fields.
public enum EventText {
    /// - Parameter origin: The instant to show as zero.
    public static func line(_ event: ControlEvent, since origin: Instant) -> String {
        let time = seconds(event.at, since: origin)
        let words = fields(event.fields).joined(separator: " ")
        let start = String(repeating: " ", count: max(0, 10 - time.count)) + time + "  "
        let name = TerminalText.clean(event.name)
        return start + (words.isEmpty ? name : TerminalText.padded(name, to: 20) + " " + words)
    }

    /// Seconds with milliseconds, such as `-0.020`; rounded towards zero.
    private static func seconds(_ instant: Instant, since origin: Instant) -> String {
        let (nanoseconds, overflow) = instant.nanoseconds.subtractingReportingOverflow(origin.nanoseconds)
        guard !overflow else { return "?" }
        let milliseconds = nanoseconds.magnitude / 1_000_000
        let fraction = "\(milliseconds % 1_000 + 1_000)".dropFirst()
        return "\(nanoseconds < 0 ? "-" : "")\(milliseconds / 1_000).\(fraction)"
    }

    /// The most important values of a call's summary, then all other fields as `name=value`, sorted by name.
    private static func fields(_ fields: [String: JSONValue]) -> [String] {
        // Show a summary that is no object like any other field.
        guard let summary = fields["summary"], summary.object != nil else { return plain(fields) }
        let telling = ["call", "direction", "phase", "number", "name"]
        let words = telling.compactMap { summary[$0]?.string }.map(TerminalText.clean)
        return words + plain(fields.filter { $0.key != "summary" && $0.key != "call" })
    }

    /// A picture such as `qr` does not fit on one line.
    private static func plain(_ fields: [String: JSONValue]) -> [String] {
        fields.filter { $0.key != "qr" }.sorted { $0.key < $1.key }
            .map { "\(TerminalText.clean($0.key))=\(TerminalText.of($0.value))" }
    }
}
