import Base
import JSON

/// What servers write into their parameters, made safe.
extension JSONValue {
    /// A text that people may be shown; nil when there is none.
    func shown(_ name: String, bytes limit: Int) -> String? {
        guard let text = self[name]?.string?.shown(bytes: limit), !text.isEmpty else { return nil }
        return text
    }

    /// A text that is given back as it came.
    func visible(_ name: String, bytes limit: Int) -> String? {
        self[name]?.string.flatMap { $0.isVisible(bytes: limit) ? $0 : nil }
    }

    /// A whole number, which some servers write as a text.
    func number(_ name: String) -> Int? {
        guard let member = self[name] else { return nil }
        if let number = member.integer { return Int(exactly: number) }
        return member.string.flatMap { $0.utf8.count <= 9 ? Int($0) : nil }
    }

    /// A description. It is opaque, and as long as a frame at most.
    var sdp: String? {
        guard let text = self["sdp"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// Clients and servers spell and place it in several ways.
    var callID: VertoCallID? {
        let places = [self["callID"], self["dialogParams"]?["callID"], self["dialogParams"]?["callId"], self["callId"]]
        return places.lazy.compactMap { $0?.string }.first.flatMap(VertoCallID.init)
    }

    func party(_ name: String, _ number: String) -> VertoParty {
        let shownNumber = shown(number, bytes: VertoLimits.nameBytes)
        return VertoParty(
            name: shown(name, bytes: VertoLimits.nameBytes), number: shownNumber,
            isNumberWhole: shownNumber == self[number]?.string)
    }

    var references: VertoReferences {
        VertoReferences(
            session: shown("telnyx_session_id", bytes: VertoLimits.idBytes),
            leg: shown("telnyx_leg_id", bytes: VertoLimits.idBytes),
            control: shown("telnyx_call_control_id", bytes: VertoLimits.idBytes))
    }

    var candidate: VertoCandidate? {
        guard let text = self["candidate"]?.string, text.utf8.count <= VertoLimits.candidateBytes,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        let line = number("sdpMLineIndex").flatMap { $0 >= 0 ? $0 : nil }
        return VertoCandidate(text, mid: visible("sdpMid", bytes: VertoLimits.idBytes), lineIndex: line)
    }
}
