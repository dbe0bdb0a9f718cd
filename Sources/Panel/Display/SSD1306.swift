import QRCode

/// A small OLED with 128 dots per row (Solomon Systech SSD1306, datasheet rev. 1.1). Each row of text covers two of its
/// pages of eight dots: the letters are drawn at twice their height.
struct SSD1306: DisplayController {
    private static let columnsOfLetter = 6
    private static let width = 128

    /// Rows of text.
    let rows: Int

    func start() -> [DisplayTransfer] {
        let dots = UInt8(16 * rows)
        let setup: [UInt8] = [
            0xAE,  // off
            0xD5, 0x80,  // clock
            0xA8, dots - 1,  // rows of dots
            0xD3, 0x00, 0x40,  // the first row at the top
            0x8D, 0x14,  // the charge pump makes the voltage
            0x20, 0x00,  // columns first, then pages
            0xA1, 0xC8,  // the connector is at the top
            0xDA, dots == 64 ? 0x12 : 0x02,  // how the rows are connected
            0x81, 0x8F,  // brightness
            0xD9, 0xF1, 0xDB, 0x40, 0xA4, 0xA6,
        ]
        let pages = 2 * rows
        let blank = DisplayTransfer.parts(of: [UInt8](repeating: 0, count: Self.width * pages), behind: Self.data)
        return commands(setup) + area(columns: 0..<Self.width, pages: 0..<pages) + blank + commands([0xAF])
    }

    func write(_ text: ArraySlice<Character>, row: Int, column: Int) -> [DisplayTransfer] {
        let columns = text.flatMap { character -> [UInt8] in DotFont.columns(of: character) + [0] }
        let first = column * Self.columnsOfLetter
        let dots = columns.map { Self.upperHalf($0) } + columns.map { Self.upperHalf($0 >> 4) }
        return area(columns: first..<first + columns.count, pages: 2 * row..<2 * row + 2)
            + DisplayTransfer.parts(of: dots, behind: Self.data)
    }

    func columns(beside code: QRCode) -> Int? {
        Self.codeSide <= 16 * rows && Self.scale(of: code) > 0
            ? (Self.width - Self.codeSide) / Self.columnsOfLetter : nil
    }

    /// The code stands at the right, on a bright square: cameras expect dark modules.
    func draw(_ code: QRCode?) -> [DisplayTransfer] {
        let pages = 0..<Self.codeSide / 8
        let dots = pages.flatMap { page in
            (0..<Self.codeSide).map { column in code.map { Self.dots(of: $0, page: page, column: column) } ?? 0 }
        }
        return area(columns: Self.width - Self.codeSide..<Self.width, pages: pages)
            + DisplayTransfer.parts(of: dots, behind: Self.data)
    }

    func stop() -> [DisplayTransfer] { commands([0xAE]) }

    // MARK: The code

    /// The side of its square, in dots.
    private static let codeSide = 64

    /// Dots of a module's side. One module of margin is less than the standard's four, but readers accept it.
    private static func scale(of code: QRCode) -> Int { codeSide / (code.width + 2) }

    /// Eight dots, one below the other.
    private static func dots(of code: QRCode, page: Int, column: Int) -> UInt8 {
        let scale = scale(of: code)
        let margin = (codeSide - scale * code.width) / 2
        func module(_ dot: Int) -> Int { dot < margin ? -1 : (dot - margin) / scale }
        return (0..<8).reduce(0) { byte, bit in
            code.isBlack(row: module(8 * page + bit), column: module(column)) ? byte : byte | 1 << UInt8(bit)
        }
    }

    // MARK: Bytes

    /// The control byte before commands, or before dots (datasheet §8.1.5.2).
    private static let command: UInt8 = 0x00
    private static let data: UInt8 = 0x40

    private func commands(_ bytes: [UInt8]) -> [DisplayTransfer] {
        DisplayTransfer.parts(of: bytes, behind: Self.command)
    }

    /// Sets where the next dots go.
    private func area(columns: Range<Int>, pages: Range<Int>) -> [DisplayTransfer] {
        commands([
            0x21, UInt8(columns.lowerBound), UInt8(columns.upperBound - 1), 0x22, UInt8(pages.lowerBound),
            UInt8(pages.upperBound - 1),
        ])
    }

    /// The four lower dots, each twice.
    private static func upperHalf(_ dots: UInt8) -> UInt8 {
        (0..<4).reduce(0) { $0 | (dots >> $1 & 1) * 3 << (2 * $1) }
    }
}
