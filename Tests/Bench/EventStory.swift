import Control
import JSON

/// Selects the events for the story of a call, and words them.
enum EventStory {
    static func text(of event: ControlEvent) -> String? {
        let fields = event.fields
        switch event.name {
        case "panelChanged":
            if let hook = fields["hook"]?.string { return hook == "offHook" ? "off hook" : "on hook" }
            return fields["key"]?.string.map { "key \($0)" }
        case "toneChanged": return fields["tone"]?.string.map { "\($0) tone" } ?? "no tone"
        case "ringerChanged": return fields["on"] == true ? "bell on" : "bell off"
        case "callStarted", "incomingCall": return name(event) + " " + (fields["summary"]?["number"]?.string ?? "?")
        case "callRinging", "callConnecting", "callAnswered", "callHeld", "callResumed": return name(event)
        case "callEnded", "callFailed": return name(event) + ": " + words(fields["reason"]?.string ?? "?")
        case "firstVoice": return "first voice"
        case "dtmfSent": return "digit sent"
        case "dtmfReceived": return "digit \(fields["digit"]?.string ?? "?") received"
        case "muteStateChanged": return fields["muted"] == true ? "muted" : "microphone open"
        case "error": return "trouble: " + (fields["message"]?.string ?? "?")
        default: return nil
        }
    }

    /// The same for a phone with a backend, with everything that it knows of a caller.
    static func callerText(of event: ControlEvent) -> String? {
        let fields = event.fields
        switch event.name {
        case "incomingCall": return "incoming call: " + display(of: event)
        case "callDisplayUpdated": return "display: " + display(of: event)
        case "callStarted": return "dials " + (fields["summary"]?["number"]?.string ?? "?")
        case "answeredElsewhere": return name(event)
        case "missedCall": return "missed call: " + display(of: event)
        case "organizationSwitching": return "switches to organization " + (fields["organization"]?.string ?? "?")
        case "organizationSwitched": return "works for " + (fields["organizationName"]?.string ?? "?")
        case "organizationSwitchFailed":
            let words = fields["text"]?.string ?? Self.words(fields["reason"]?.string ?? "?")
            return "switch failed: \(words); works as before"
        default: return text(of: event)
        }
    }

    /// The caller's name, number and organisation, as a display shows them.
    static func display(of event: ControlEvent) -> String {
        let summary = event.fields["summary"]
        let badge = summary?["badge"]?.string.map { "[\($0)]" }
        return [summary?["name"]?.string, summary?["number"]?.string, badge].compactMap { $0 }.joined(separator: " ")
    }

    private static func name(_ event: ControlEvent) -> String { words(event.name) }

    /// `hungUpThere` as "hung up there".
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
    }
}
