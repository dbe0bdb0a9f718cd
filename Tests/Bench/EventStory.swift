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

    private static func name(_ event: ControlEvent) -> String { words(event.name) }

    /// `hungUpThere` as "hung up there".
    private static func words(_ name: String) -> String {
        name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
    }
}
