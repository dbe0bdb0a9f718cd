import QRCode

/// A character display (Hitachi HD44780U, datasheet ADE-207-272) behind a PCF8574, wired as on the usual boards. RS,
/// RW, E and the light are on its outputs 0 to 3, the upper half of the data bus on 4 to 7. Bytes are written in
/// halves.
struct HD44780: DisplayController {
    private enum Output {
        static let data: UInt8 = 0x01
        static let enable: UInt8 = 0x04
        static let light: UInt8 = 0x08
    }

    private enum Command {
        static let clear: UInt8 = 0x01
        /// The cursor moves right with each character; the display does not scroll.
        static let entryMode: UInt8 = 0x06
        static let off: UInt8 = 0x08
        static let on: UInt8 = 0x0C
        /// Bytes in two halves of four bits, two lines, five by eight dots.
        static let function: UInt8 = 0x28
        static let place: UInt8 = 0x80
    }

    let columns: Int

    /// From any state, the half-byte 3, sent three times, makes the display expect whole bytes (datasheet, figure 24).
    func start() -> [DisplayTransfer] {
        let reset: [DisplayTransfer] =
            [DisplayTransfer([Output.light], pause: .milliseconds(50))]
            + [Duration.milliseconds(5), .milliseconds(1), .milliseconds(1)].map { half(0x30, pause: $0) }
            + [half(0x20, pause: .milliseconds(1))]
        return reset + [Command.function, Command.off, Command.clear].map { command($0, pause: .milliseconds(2)) }
            + [command(Command.entryMode), command(Command.on)]
    }

    func write(_ text: ArraySlice<Character>, row: Int, column: Int) -> [DisplayTransfer] {
        // Rows 3 and 4 continue rows 1 and 2.
        let first = [0, 0x40, columns, 0x40 + columns][row]
        let bytes = text.flatMap { halves(HD44780Characters.code(of: $0), Output.data) }
        // RS is set before E rises.
        return [command(Command.place | UInt8(first + column))]
            + DisplayTransfer.parts(of: bytes, behind: Output.light | Output.data)
    }

    func columns(beside code: QRCode) -> Int? { nil }

    func draw(_ code: QRCode?) -> [DisplayTransfer] { [] }

    func stop() -> [DisplayTransfer] { [command(Command.off), DisplayTransfer([0])] }

    private func command(_ code: UInt8, pause: Duration = .zero) -> DisplayTransfer {
        DisplayTransfer([Output.light] + halves(code, 0), pause: pause)
    }

    private func half(_ code: UInt8, pause: Duration) -> DisplayTransfer {
        DisplayTransfer([Output.light | code, Output.light | code | Output.enable, Output.light | code], pause: pause)
    }

    /// Both halves; the display reads each as E falls. A byte on the bus takes longer than the 37 µs that the display
    /// needs.
    private func halves(_ byte: UInt8, _ kind: UInt8) -> [UInt8] {
        [byte & 0xF0, byte << 4].flatMap { half -> [UInt8] in
            let outputs = half | kind | Output.light
            return [outputs | Output.enable, outputs]
        }
    }
}

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

/// The nearest ASCII letter, for displays that lack a letter.
enum PlainLetter {
    /// - Returns: An ASCII character itself; nil: there is no such letter.
    static func of(_ character: Character) -> Character? {
        if character.isASCII { return character }
        return groups.first { $0.letters.contains(character) }?.plain
    }

    private static let groups: [(plain: Character, letters: String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄ"), ("a", "àáâãäåāăą"), ("C", "ÇĆĈĊČ"), ("c", "çćĉċč"), ("D", "ÐĎĐ"), ("d", "ðďđ"),
        ("E", "ÈÉÊËĒĔĖĘĚ"), ("e", "èéêëēĕėęě"), ("G", "ĜĞĠĢ"), ("g", "ĝğġģ"), ("H", "ĤĦ"), ("h", "ĥħ"),
        ("I", "ÌÍÎÏĨĪĬĮİ"), ("i", "ìíîïĩīĭįı"), ("J", "Ĵ"), ("j", "ĵ"), ("K", "Ķ"), ("k", "ķ"), ("L", "ĹĻĽĿŁ"),
        ("l", "ĺļľŀł"), ("N", "ÑŃŅŇ"), ("n", "ñńņňŉ"), ("O", "ÒÓÔÕÖØŌŎŐ"), ("o", "òóôõöøōŏő"), ("R", "ŔŖŘ"),
        ("r", "ŕŗř"), ("S", "ŚŜŞŠȘẞ"), ("s", "śŝşšșß"), ("T", "ŢŤŦȚ"), ("t", "ţťŧț"), ("U", "ÙÚÛÜŨŪŬŮŰŲ"),
        ("u", "ùúûüũūŭůűų"), ("W", "Ŵ"), ("w", "ŵ"), ("Y", "ÝŶŸ"), ("y", "ýÿŷ"), ("Z", "ŹŻŽ"), ("z", "źżž"),
        ("'", "‘’‚´`"), ("\"", "“”„«»"), ("-", "‐‑‒–—"), (" ", "\u{A0}"), (".", "…·"),
    ]
}
