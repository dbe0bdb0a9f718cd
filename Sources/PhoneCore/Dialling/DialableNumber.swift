/// Converts a number that a person has written into one that can be dialled.
public enum DialableNumber {
    static let longestURI = 256
    /// The longest number of a network, with the digits that a service adds.
    static let longest = 32

    /// The number without the separators that people write, or the SIP address as it is. Nil: it cannot be dialled.
    public static func cleaned(_ text: String) -> String? {
        // The text is measured before anything is copied, because it is untrusted.
        guard text.utf8.count <= longestURI else { return nil }
        let lowercased = text.lowercased()
        if lowercased.hasPrefix("sip:") || lowercased.hasPrefix("sips:") { return isURI(text) ? text : nil }
        let digits = text.filter { !" \u{A0}\u{202F}-./()".contains($0) }
        guard digits.allSatisfy({ "0123456789*#+".contains($0) }), digits.contains(where: { $0 != "+" }) else {
            return nil
        }
        return digits.count <= longest ? digits : nil
    }

    /// Accepts only characters that cannot break a header (RFC 3261 §25.1): printable ones, without blanks, brackets or
    /// quotes. The line checks the full grammar.
    private static func isURI(_ text: String) -> Bool {
        let forbidden = "<>\"\\`{}|^".utf8
        let rest = text.drop { $0 != ":" }.dropFirst()
        return !rest.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !forbidden.contains($0) }
    }
}

/// A number or a SIP URI that may be dialled.
struct DialTarget: Equatable, Sendable {
    static let lengths = 3...DialableNumber.longest

    let text: String

    /// Nil for anything that cannot be dialled. Separators that people write are removed.
    init?(_ raw: String, policy: PhonePolicy) {
        guard let cleaned = DialableNumber.cleaned(raw) else { return nil }
        let isAddress = cleaned.contains(":")
        let isService = policy.shortNumbers.contains(cleaned) || policy.isEmergency(cleaned)
        guard isAddress || Self.lengths.contains(cleaned.count) || isService else { return nil }
        text = cleaned
    }
}

extension PhonePolicy {
    func isEmergency(_ target: String) -> Bool { dialPlan.verdict(target) == .emergency }
}

extension AssertedNumber {
    /// The dialled target: a number at the account's own domain, or the user and the host of an address.
    init(dialled target: String) {
        guard target.contains("@"), let colon = target.firstIndex(of: ":") else {
            self.init(target)
            return
        }
        let address = target[target.index(after: colon)...]
        let parts = address.split(separator: "@", maxSplits: 1)
        let user = parts.first?.prefix { $0 != ":" && $0 != ";" } ?? ""
        let host = parts.last?.prefix { !";?".contains($0) } ?? ""
        self.init(String(user), domain: host.withoutPort.lowercased())
    }
}

extension Substring {
    fileprivate var withoutPort: String {
        if hasPrefix("[") { return String(dropFirst().prefix { $0 != "]" }) }
        return String(prefix { $0 != ":" })
    }
}
