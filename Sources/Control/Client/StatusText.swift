import Base

/// The answer to `getSnapshot` as lines for a person. Total: what is missing or strange is shown as such.
public enum StatusText {
    public static func lines(_ snapshot: JSONValue) -> [String] {
        let summary = TerminalText.table([
            ["handset", word(snapshot["hook"], ifNull: "none"), "route " + word(snapshot["route"])],
            ["sound", tone(snapshot["tone"]), snapshot["muted"] == true ? "microphone muted" : "microphone open"],
            ["bell", snapshot["ringing"] == true ? "rings" : "quiet", "lamps " + lamps(snapshot["lamps"])],
        ])
        let digits = snapshot["digits"]?.string ?? ""
        let dialled = digits.isEmpty ? [] : ["digits   " + TerminalText.clean(digits)]
        return summary + dialled + section("lines", snapshot["registrations"], registration)
            + section("calls", snapshot["calls"]) { call(at: snapshot["at"], $0) }
    }

    private static func section(
        _ title: String, _ elements: JSONValue?, _ row: (JSONValue) -> [String]
    ) -> [String] {
        guard let elements = elements?.array, !elements.isEmpty else {
            return [TerminalText.padded(title, to: 7) + "  none"]
        }
        return [title] + TerminalText.table(elements.map(row)).map { "  " + $0 }
    }

    private static func registration(_ line: JSONValue) -> [String] {
        let state = word(line["state"])
        let message = line["message"]?.string.map { ": " + TerminalText.clean($0) } ?? ""
        return [account(line["account"]), state + message]
    }

    private static func call(at now: JSONValue?, _ call: JSONValue) -> [String] {
        [
            word(call["call"]), word(call["direction"]), phase(call),
            duration(from: call["answered"]?.integer ?? call["started"]?.integer, to: now?.integer),
            account(call["account"]), TerminalText.of(call["number"] ?? .null),
            call["name"]?.string.map(TerminalText.clean) ?? "",
        ]
    }

    private static func phase(_ call: JSONValue) -> String {
        let held: String? =
            switch (call["heldHere"] == true, call["heldThere"] == true) {
            case (true, true): "by both"
            case (true, false): "by us"
            case (false, true): "by them"
            case (false, false): nil
            }
        return word(call["phase"]) + (held.map { " (\($0))" } ?? "")
    }

    private static func duration(from start: Int64?, to now: Int64?) -> String {
        guard let start, let now else { return "--:--" }
        let (nanoseconds, overflow) = now.subtractingReportingOverflow(start)
        return overflow ? "--:--" : TerminalText.clock(.nanoseconds(nanoseconds))
    }

    private static func account(_ number: JSONValue?) -> String {
        number == 0 ? "direct" : "account " + TerminalText.of(number ?? .null)
    }

    private static func tone(_ tone: JSONValue?) -> String {
        tone?.string.map { TerminalText.words($0) + " tone" } ?? "no tone"
    }

    private static func lamps(_ lamps: JSONValue?) -> String {
        let lit = (lamps?.object ?? [:]).filter { $0.value != "off" }.sorted { $0.key < $1.key }
        if lit.isEmpty { return "off" }
        return lit.map { "\(TerminalText.words($0.key)) \(word($0.value))" }.joined(separator: ", ")
    }

    private static func word(_ value: JSONValue?, ifNull: String = "?") -> String {
        value?.string.map(TerminalText.words) ?? ifNull
    }
}
