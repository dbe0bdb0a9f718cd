import Base
import JSON
import PhoneCore

/// Prepares foreign text for a terminal and a table.
enum TerminalText {
    /// Removes everything that a terminal would interpret: control characters, and marks that change the direction of
    /// writing.
    static func clean(_ text: String) -> String { text.withoutCommands }

    /// Formats a value: a text unchanged, everything else as JSON.
    static func of(_ value: JSONValue) -> String {
        if case .string(let text) = value { clean(text) } else { clean(value.text) }
    }

    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Columns as wide as their widest cell, two spaces between them.
    static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            let cells = zip(row, widths).prefix(last).map { padded($0, to: $1) } + row.dropFirst(last).prefix(1)
            return cells.joined(separator: "  ")
        }
    }

    /// `onHook` → `on hook`.
    static func words(_ name: String) -> String {
        clean(name.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined())
    }
}

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

/// Formats the accounts of `getSetup` as lines for a person.
public enum AccountText {
    public static func lines(_ accounts: JSONValue) -> [String] {
        let accounts = accounts.array ?? []
        guard !accounts.isEmpty else { return ["no accounts"] }
        return TerminalText.table(
            accounts.map { account in
                let place = "\(user(account)) at \(text(account["server"])), \(manner(account))"
                return [text(account["label"]), place, state(account)]
            })
    }

    private static func user(_ account: JSONValue) -> String {
        let user = account["user"]?.string ?? ""
        guard account["token"] == true else { return TerminalText.clean(user) }
        return user.isEmpty ? "a token" : TerminalText.clean(user) + " with a token"
    }

    private static func manner(_ account: JSONValue) -> String {
        var parts = [
            "\(text(account["kind"])) over \(text(account["transport"]))", "encryption \(text(account["protection"]))",
            "ICE \(text(account["ice"]))",
        ]
        if account["signIn"] == true { parts.append("of the sign-in") }
        return parts.joined(separator: ", ")
    }

    private static func state(_ account: JSONValue) -> String {
        let message = account["message"]?.string.map { ": " + TerminalText.clean($0) } ?? ""
        return text(account["state"]) + message
    }

    private static func text(_ value: JSONValue?) -> String { TerminalText.of(value ?? .null) }
}

/// Formats contacts as lines for a person.
public enum ContactText {
    public static func lines(_ contacts: [Contact]) -> [String] {
        TerminalText.table(
            contacts.map { contact in
                let more = [contact.ring.map { "rings \($0)" }, contact.isBlocked ? "blocked" : nil]
                return [contact.number, contact.name, more.compactMap { $0 }.joined(separator: ", ")]
                    .map(TerminalText.clean)
            })
    }
}

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

/// Formats the answer to `getTokens` as lines for a person.
public enum TokenText {
    /// - Parameter time: Formats milliseconds since 1970, in UTC.
    public static func lines(_ answer: JSONValue, time: (Int64) -> String) -> [String] {
        let tokens = answer["tokens"]?.array ?? []
        guard !tokens.isEmpty else { return ["no tokens"] }
        return TerminalText.table(
            tokens.map { token in
                [
                    TerminalText.of(token["label"] ?? .null), TerminalText.of(token["scope"] ?? .null),
                    token["created"]?.integer.map(time) ?? "?",
                ]
            })
    }
}
