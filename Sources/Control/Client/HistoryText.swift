import Base
import JSON
import PhoneCore

/// Formats a page of `getHistory` as lines for a person. Shows missing or invalid values instead of failing.
public enum HistoryText {
    /// - Parameter time: Formats milliseconds since 1970, in UTC.
    public static func lines(_ page: JSONValue, time: (Int64) -> String) -> [String] {
        let calls = page["calls"]?.array ?? []
        guard !calls.isEmpty else { return ["no calls"] }
        let more = page["more"] == true ? calls.last?["id"]?.integer.map { ["older calls: --before \($0)"] } : nil
        return TerminalText.table(calls.map { call($0, time) }) + (more ?? [])
    }

    private static func call(_ call: JSONValue, _ time: (Int64) -> String) -> [String] {
        [
            call["started"]?.integer.map(time) ?? "?", direction(call), TerminalText.of(call["number"] ?? .null),
            call["name"]?.string.map(TerminalText.clean) ?? "", duration(call),
            call["message"]?.string.map(TerminalText.clean) ?? "?",
        ]
    }

    private static func direction(_ call: JSONValue) -> String {
        if call["missed"]?.string != nil { return "missed" }
        return call["direction"]?.string.map(TerminalText.words) ?? "?"
    }

    private static func duration(_ call: JSONValue) -> String {
        guard let answered = call["answered"]?.integer, let ended = call["ended"]?.integer else { return "" }
        let (milliseconds, overflow) = ended.subtractingReportingOverflow(answered)
        return overflow ? "?" : CallSummary.durationText(seconds: max(0, Int(milliseconds / 1_000)))
    }
}
