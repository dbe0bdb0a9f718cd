/// A symbol of the dial pad. A telephone event carries the same symbols.
public enum DTMFSymbol: UInt8, CaseIterable, Hashable, Codable, Sendable {
    // The raw values are the event codes of RFC 4733 §3.2.
    case zero, one, two, three, four, five, six, seven, eight, nine, star, pound, a, b, c, d

    private static let characters = Array("0123456789*#ABCD")

    /// Letters may be lower case.
    public init?(_ character: Character) {
        guard character.isASCII,
            let index = Self.characters.firstIndex(of: Character(character.uppercased()))
        else {
            return nil
        }
        self.init(rawValue: UInt8(index))
    }

    public var character: Character { Self.characters[Int(rawValue)] }
}
