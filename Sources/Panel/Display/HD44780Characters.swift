/// The character codes of an HD44780 with the most common ROM, A00.
enum HD44780Characters {
    /// A character outside the ROM becomes its nearest letter, or a question mark.
    static func code(of character: Character) -> UInt8 {
        if let own = own[character] { return own }
        return PlainLetter.of(character)?.asciiValue.flatMap { own(ascii: $0) } ?? UInt8(ascii: "?")
    }

    /// The ROM has a yen sign in place of the backslash, and arrows in place of tilde and delete.
    private static func own(ascii: UInt8) -> UInt8? {
        (0x20...0x7D).contains(ascii) && ascii != UInt8(ascii: "\\") ? ascii : nil
    }

    private static let own: [Character: UInt8] = [
        "ä": 0xE1, "ö": 0xEF, "ü": 0xF5, "ß": 0xE2, "ñ": 0xEE, "¥": 0x5C, "→": 0x7E, "←": 0x7F, "°": 0xDF, "µ": 0xE4,
        "÷": 0xFD,
    ]
}
