/// Replaces a text with a pseudonym that reveals as little as possible. Two pseudonyms are equal exactly if the texts
/// are, except for case, because the phone compares names without regard to case.
///
/// It stores no text, only the process's randomly keyed hash of it.
final class Pseudonyms {
    /// Two numbers belong to the same caller if this many digits at their ends agree (spec §6).
    static let correlatedDigits = 10
    /// Numbers up to this length are services, which are the same for everyone.
    static let serviceDigits = 3
    /// The longest prefix before the correlated digits: `+44`, `00`, `0`.
    static let longestPrefix = 3

    private enum Kind: Hashable { case name, digits(Int), prefix(Int) }
    private struct Original: Hashable {
        let kind: Kind
        let hash: Int
    }

    private var ordinals: [Original: Int] = [:]
    private var counts: [Kind: Int] = [:]

    func text(for text: String) -> String {
        if text.isEmpty { return text }
        if let uri = uri(for: text) { return uri }
        return Self.isNumber(text) ? number(for: text) : "name-\(ordinal(of: text.lowercased(), .name))"
    }

    /// Each part of an address is replaced separately: `sip:name-1@name-2`, `sip:0000000001@name-2`, `tel:…`.
    private func uri(for text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[...colon]
        guard ["sip:", "sips:", "tel:"].contains(scheme.lowercased()) else { return nil }
        let rest = text[text.index(after: colon)...]
        let parts = rest.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        return scheme + parts.map { self.text(for: String($0)) }.joined(separator: "@")
    }

    /// Digits are replaced; everything between them stays.
    private func number(for text: String) -> String {
        let digits = text.filter(\.isDigit)
        guard digits.count > Self.serviceDigits else { return text }
        let end = String(digits.suffix(Self.correlatedDigits))
        let prefix = String(digits.dropLast(end.count))
        let plus = text.hasPrefix("+") ? 1 : 0
        let kept = prefix.count + plus <= Self.longestPrefix ? prefix : padded(prefix, .prefix(prefix.count))
        var replacement = (kept + padded(end, .digits(end.count))).makeIterator()
        return String(text.map { $0.isDigit ? replacement.next() ?? $0 : $0 })
    }

    /// The pseudonym is as long as the original. There are never more ordinals than texts of that length, so it always
    /// fits.
    private func padded(_ digits: String, _ kind: Kind) -> String {
        let ordinal = String(ordinal(of: digits, kind) - 1)
        return String(repeating: "0", count: digits.count - ordinal.count) + ordinal
    }

    /// Counted from 1.
    private func ordinal(of text: String, _ kind: Kind) -> Int {
        let original = Original(kind: kind, hash: text.hashValue)
        if let ordinal = ordinals[original] { return ordinal }
        counts[kind, default: 0] += 1
        let ordinal = counts[kind, default: 0]
        ordinals[original] = ordinal
        return ordinal
    }

    /// Whether the phone treats the text as a number: it has no letters.
    private static func isNumber(_ text: String) -> Bool { text.allSatisfy { $0.isASCII && !$0.isLetter } }
}

extension Character {
    /// Whether it is one of the ten digits.
    fileprivate var isDigit: Bool { isASCII && isWholeNumber }
}
