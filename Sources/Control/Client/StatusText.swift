import Base
import JSON
import PhoneCore

/// Formats the answer to `getSnapshot` as lines for a person. Shows missing or invalid values instead of failing.
public enum StatusText {
    public static func lines(_ snapshot: JSONValue) -> [String] {
        panel(snapshot) + signIn(snapshot["signIn"]) + registrations(snapshot) + calls(snapshot) + missedCalls(snapshot)
            + faults(snapshot)
    }

    /// Parts of the phone that do not work. No line if all work.
    static func faults(_ snapshot: JSONValue) -> [String] {
        (snapshot["faults"]?.array ?? []).map { "fault    " + TerminalText.clean($0.string ?? "") }
    }

    /// Handset, sound, bell, volume, network and waiting messages.
    static func panel(_ snapshot: JSONValue) -> [String] {
        let digits = snapshot["digits"]?.string ?? ""
        let dialled = digits.isEmpty ? [] : ["digits   " + TerminalText.clean(digits)]
        return TerminalText.table(summary(snapshot)) + dialled
    }

    /// No line for a phone that nobody has signed in.
    static func signIn(_ signIn: JSONValue?) -> [String] {
        let user = (signIn?["userName"]?.string ?? signIn?["email"]?.string ?? signIn?["subject"]?.string)
            .map(TerminalText.clean)
        let state: String? =
            switch signIn?["state"]?.string {
            case "signedIn": "signed in as " + (user ?? "?")
            case "needed": "sign in again: " + (signIn?["message"]?.string.map(TerminalText.clean) ?? "?")
            case "waiting": "enter " + text(signIn?["code"]) + " at " + text(signIn?["address"])
            case "asking": "asking the backend for a code"
            case "signingOut": "signing out"
            default: nil
            }
        return state.map { ["backend  " + $0] } ?? []
    }

    static func registrations(_ snapshot: JSONValue) -> [String] {
        let accounts = StatusAccounts(snapshot["registrations"])
        return section("lines", snapshot["registrations"]) { registration($0, accounts) }
    }

    static func calls(_ snapshot: JSONValue) -> [String] {
        let accounts = StatusAccounts(snapshot["registrations"])
        return section("calls", snapshot["calls"]) { call($0, at: snapshot["at"], accounts) }
    }

    /// No line if nothing was missed.
    static func missedCalls(_ snapshot: JSONValue) -> [String] {
        snapshot["missed"]?.array?.isEmpty == false ? missed(snapshot) : []
    }

    public static func missed(_ snapshot: JSONValue) -> [String] {
        let accounts = StatusAccounts(snapshot["registrations"])
        return section("missed", snapshot["missed"]) { missed($0, at: snapshot["at"], accounts) }
    }

    private static func summary(_ snapshot: JSONValue) -> [[String]] {
        let settings = snapshot["settings"] ?? .null
        return [
            ["handset", word(snapshot["hook"], ifNull: "none"), "route " + word(snapshot["route"])],
            ["sound", tone(snapshot["tone"]), microphone(snapshot)],
            ["bell", snapshot["ringing"] == true ? "rings" : "quiet", "lamps " + lamps(snapshot["lamps"])],
            [
                "volume", "call \(number(settings["callVolume"])), ring \(number(settings["ringVolume"]))",
                settings["doNotDisturb"] == true ? "do not disturb" : "calls accepted",
            ],
            ["network", word(snapshot["network"]), organization(snapshot["organization"])],
            [
                "waiting", number(snapshot["missedCount"]) + " missed calls",
                number(snapshot["messagesWaiting"]) + " messages",
            ],
        ]
    }

    private static func section(
        _ title: String, _ elements: JSONValue?, _ row: (JSONValue) -> [String]
    ) -> [String] {
        guard let elements = elements?.array, !elements.isEmpty else {
            return [TerminalText.padded(title, to: 7) + "  none"]
        }
        return [title] + TerminalText.table(elements.map(row)).map { "  " + $0 }
    }

    private static func registration(_ line: JSONValue, _ accounts: StatusAccounts) -> [String] {
        let state = word(line["state"])
        let message = line["message"]?.string.map { ": " + TerminalText.clean($0) } ?? ""
        return [accounts[line["account"]], state + message]
    }

    private static func call(_ call: JSONValue, at now: JSONValue?, _ accounts: StatusAccounts) -> [String] {
        [
            word(call["call"]), word(call["direction"]), phase(call),
            duration(from: call["answered"]?.integer ?? call["started"]?.integer, to: now?.integer),
            accounts[call["account"]], text(call["number"]),
            call["name"]?.string.map(TerminalText.clean) ?? "", remarks(call),
        ]
    }

    private static func missed(_ call: JSONValue, at now: JSONValue?, _ accounts: StatusAccounts) -> [String] {
        [
            word(call["call"]), duration(from: call["at"]?.integer, to: now?.integer) + " ago", word(call["reason"]),
            accounts[call["account"]], text(call["number"]), call["name"]?.string.map(TerminalText.clean) ?? "",
            call["organization"]?.string.map(TerminalText.clean) ?? "",
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

    /// The called organisation, the check of the number, a requested transfer, the encryption, and faults of the voice.
    private static func remarks(_ call: JSONValue) -> String {
        let badge = call["badge"]?.string.map { "[\(TerminalText.clean($0))]" }
        let verification = call["verification"]?.string.map { "number check: " + TerminalText.words($0) }
        let question = call["transferRequested"]?["to"]?.string.map {
            "requests a transfer to \(TerminalText.clean($0))"
        }
        let protection = call["protection"]?.string.map(Self.protection)
        let words = call["words"]?.string.map { "words: \(TerminalText.clean($0))" }
        let other = call["key"] == "changed" ? "the key has changed since the words were compared" : nil
        let fault = call["sendFault"]?.string.map { "cannot send voice: \(TerminalText.clean($0))" }
        let silence = call["impaired"] == true ? "no voice arrives" : nil
        return [badge, verification, question, protection, other, words, silence, fault]
            .compactMap { $0 }
            .joined(separator: ", ")
    }

    private static func protection(_ name: String) -> String {
        switch name {
        case "clear": "not encrypted"
        case "dtls": "encrypted (DTLS)"
        case "verified": "encrypted (DTLS), words compared"
        default: "encrypted"
        }
    }

    private static func duration(from start: Int64?, to now: Int64?) -> String {
        guard let start, let now else { return "--:--" }
        let (nanoseconds, overflow) = now.subtractingReportingOverflow(start)
        guard !overflow else { return "--:--" }
        return CallSummary.durationText(seconds: max(0, Int(nanoseconds / 1_000_000_000)))
    }

    private static func microphone(_ snapshot: JSONValue) -> String {
        let isMuted = snapshot["muted"] == true
        let isLost = snapshot["lostDevices"]?.array?.contains { $0 == snapshot["route"] } ?? false
        let isHeard = snapshot["calls"]?.array?.contains { $0["phase"] == "active" } ?? false
        let more = [("conference", "in conference"), ("interrupted", "interrupted")]
        let state = isMuted ? "microphone muted" : isHeard ? "microphone open" : "microphone off"
        let parts: [[String]] = [
            [isLost ? "no sound device" : state], more.filter { snapshot[$0.0] == true }.map(\.1),
            recording(snapshot["recording"]), playback(snapshot["playback"]), page(snapshot["page"]),
            sentPage(snapshot["sentPage"]), soundTest(snapshot["soundTest"]),
        ]
        return parts.joined().joined(separator: ", ")
    }

    private static func recording(_ call: JSONValue?) -> [String] {
        call?.string.map { ["recording \(TerminalText.clean($0))"] } ?? []
    }

    private static func playback(_ playback: JSONValue?) -> [String] {
        guard let file = playback?["file"]?.string, let call = playback?["call"]?.string else { return [] }
        return ["playing \(TerminalText.clean(file)) into \(TerminalText.clean(call))"]
    }

    private static func page(_ page: JSONValue?) -> [String] {
        page?["label"]?.string.map { ["playing the page of \(TerminalText.clean($0))"] } ?? []
    }

    private static func sentPage(_ page: JSONValue?) -> [String] {
        page?["label"]?.string.map { ["sending a page to \(TerminalText.clean($0))"] } ?? []
    }

    /// Empty if the test found no fault.
    private static func soundTest(_ result: JSONValue?) -> [String] {
        guard let message = result?["message"]?.string, result?["result"] != "ok" else { return [] }
        return [TerminalText.clean(message)]
    }

    private static func tone(_ tone: JSONValue?) -> String {
        tone?.string.map { TerminalText.words($0) + " tone" } ?? "no tone"
    }

    private static func organization(_ organization: JSONValue?) -> String {
        organization?["name"]?.string.map { "organization " + TerminalText.clean($0) } ?? "no organization"
    }

    private static func lamps(_ lamps: JSONValue?) -> String {
        let lit = (lamps?.object ?? [:]).filter { $0.value != "off" }.sorted { $0.key < $1.key }
        if lit.isEmpty { return "off" }
        return lit.map { "\(TerminalText.words($0.key)) \(word($0.value))" }.joined(separator: ", ")
    }

    private static func number(_ value: JSONValue?) -> String { value?.integer.map { "\($0)" } ?? "?" }

    private static func text(_ value: JSONValue?) -> String { TerminalText.of(value ?? .null) }

    private static func word(_ value: JSONValue?, ifNull: String = "?") -> String {
        value?.string.map(TerminalText.words) ?? ifNull
    }
}

/// The names of accounts in a status: labels, otherwise numbers.
private struct StatusAccounts {
    private var labels: [Int64: String] = [:]

    init(_ registrations: JSONValue?) {
        for line in registrations?.array ?? [] {
            guard let account = line["account"]?.integer, let label = line["label"]?.string else { continue }
            labels[account] = TerminalText.clean(label)
        }
    }

    subscript(account: JSONValue?) -> String {
        if account == 0 { return "direct" }
        return account?.integer.flatMap { labels[$0] } ?? "account " + TerminalText.of(account ?? .null)
    }
}
