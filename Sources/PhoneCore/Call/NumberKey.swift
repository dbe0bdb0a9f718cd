/// What makes two ways of writing a number one number.
///
/// The last ten digits, which survive a country code, a trunk prefix and separators; a name, as SIP users may be, as it
/// is but for its case.
struct NumberKey: Hashable, Codable, Sendable {
    private static let significant = 10

    private let text: String

    /// Nil for what names nobody: an anonymous caller is like no other.
    init?(_ number: String) {
        let isNumber = number.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
        let digits = number.filter { ("0"..."9").contains($0) }
        text = isNumber ? String(digits.suffix(Self.significant)) : number.lowercased()
        if text.isEmpty { return nil }
    }
}
