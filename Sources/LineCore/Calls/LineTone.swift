/// One element of a sequence of digits that goes to the far end as words, by INFO.
public enum LineTone: Hashable, Sendable {
    /// The next element leaves when this one has sounded.
    case digit(ToneSymbol, milliseconds: Int)
    case pause(milliseconds: Int)
}

/// A digit as telephones send it: `0` to `9`, `*`, `#`, `A` to `D`.
public struct ToneSymbol: Hashable, Sendable {
    public let character: Character

    private static let symbols = Array("0123456789*#ABCD")

    /// Nil for what is no digit. Letters may be small.
    public init?(_ character: Character) {
        let large: Character = character.isASCII ? character.uppercased().first ?? character : character
        guard Self.symbols.contains(large) else { return nil }
        self.character = large
    }

    /// Reads the digit, or its number among the events of RFC 4733 §3.2: peers write both.
    init?(written text: some StringProtocol) {
        if text.count == 1, let symbol = text.first.flatMap({ ToneSymbol($0) }) {
            character = symbol.character
        } else if text.utf8.count == 2, let number = Int(text), Self.symbols.indices.contains(number) {
            character = Self.symbols[number]
        } else {
            return nil
        }
    }
}
