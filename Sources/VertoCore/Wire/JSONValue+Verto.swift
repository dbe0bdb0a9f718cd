import Base
import JSON

/// Reads the parameters from servers, and makes them safe.
extension JSONValue {
    /// A text for people. Nil if it is missing or empty.
    func shown(_ name: String, bytes limit: Int) -> String? {
        guard let text = written(name)?.shown(bytes: limit), !text.isEmpty else { return nil }
        return text
    }

    /// A text. Dialplans may write a telephone number without quotes.
    private func written(_ name: String) -> String? { self[name]?.string ?? self[name]?.integer.map { String($0) } }

    /// A text that will be sent back unchanged.
    func visible(_ name: String, bytes limit: Int) -> String? {
        self[name]?.string.flatMap { $0.isVisible(bytes: limit) ? $0 : nil }
    }

    /// A whole number, which some servers write as a text.
    func number(_ name: String) -> Int? {
        guard let member = self[name] else { return nil }
        if let number = member.integer { return Int(exactly: number) }
        return member.string.flatMap { $0.utf8.count <= 9 ? Int($0) : nil }
    }

    /// A session description. It is opaque, and limited only by the frame.
    var sdp: String? {
        guard let text = self["sdp"]?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The call's id. Clients and servers use several spellings and places for it.
    var callID: VertoCallID? {
        let places = [self["callID"], self["dialogParams"]?["callID"], self["dialogParams"]?["callId"], self["callId"]]
        return places.lazy.compactMap { $0?.string }.first.flatMap(VertoCallID.init)
    }

    func party(_ name: String, _ number: String) -> VertoParty {
        let shownNumber = shown(number, bytes: VertoLimits.nameBytes)
        return VertoParty(
            name: shown(name, bytes: VertoLimits.nameBytes), number: shownNumber,
            isNumberWhole: shownNumber == written(number))
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

extension String {
    /// Whether it has 1 to `limit` visible ASCII characters, and so no space and no control character.
    func isVisible(bytes limit: Int) -> Bool {
        (1...limit).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// A random UUID (RFC 9562 §5.4) in lower case.
    static func randomUUID(using generator: inout some RandomNumberGenerator) -> String {
        let version: UInt64 = 0x4000
        let variant: UInt64 = 0x8000_0000_0000_0000
        let high = generator.next() & ~0xF000 | version
        let low = generator.next() & ~0xC000_0000_0000_0000 | variant
        return [
            hexadecimal(high >> 32, digits: 8), hexadecimal(high >> 16 & 0xFFFF, digits: 4),
            hexadecimal(high & 0xFFFF, digits: 4), hexadecimal(low >> 48, digits: 4),
            hexadecimal(low & 0xFFFF_FFFF_FFFF, digits: 12),
        ].joined(separator: "-")
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
