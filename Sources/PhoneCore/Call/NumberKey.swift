/// A key that is equal for different ways of writing the same number.
///
/// For a number, it is the last ten digits, which do not depend on a country code, a trunk prefix or separators. For a
/// name, which a SIP user may be, it is the name in lower case.
struct NumberKey: Hashable, Codable, Sendable {
    private static let significant = 10

    /// The last ten digits of a number, or a name in lower case.
    let text: String

    /// Nil for a text that contains neither letters nor digits: it identifies no caller.
    init?(_ number: String) {
        let isNumber = number.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
        let digits = number.filter { ("0"..."9").contains($0) }
        text = isNumber ? String(digits.suffix(Self.significant)) : number.lowercased()
        if text.isEmpty { return nil }
    }
}
