import Base
import Panel
import PhoneCore
import QRCode
import Testing

/// The bytes for displays, as these interpret them.
@Suite struct DisplayPainterTests {
    private static let call = DisplayContent(
        title: "Jürgen Müß", detail: "In call", since: .zero, notes: ["Muted", "Held: Zoë Łódź"])

    private static func spec(_ text: String) throws -> DisplaySpec {
        let board = try Boards.board("  backend: simulated\n  chip: c\n  display: {bus: /dev/i2c-1, \(text)}")
        return try #require(board.panel.display)
    }

    @Test func boardFileMayNameDisplay() throws {
        let display = try Self.spec("controller: hd44780")
        #expect(display.address == 0x27)
        #expect(display.size.columns == 16 && display.size.rows == 2)
        let small = try Self.spec("controller: ssd1306, size: 128x32, address: 0x3d")
        #expect(small.address == 0x3D && small.size.rows == 2 && small.size.columns == 21)
        for wrong in [
            "controller: hd44780, size: 128x64", "controller: sh1107", "controller: ssd1306, address: 0x78",
            "controller: ssd1306, address: 0", "controller: ssd1306, address: 0x3C3C",
        ] {
            #expect(throws: (any Error).self) { try Self.spec(wrong) }
        }
    }

    @Test(arguments: [("16x2", 16, 2), ("20x4", 20, 4)])
    func characterDisplayShowsRows(_ size: String, _ columns: Int, _ count: Int) throws {
        var (painter, display) = (
            DisplayPainter(try Self.spec("controller: hd44780, size: \(size)")), SimulatedCharacterDisplay()
        )
        for seconds in [0, 1, 2, 5, 8, 60, 61, 3_600] {
            let now = Instant.zero + .seconds(seconds)
            for transfer in painter.show(Self.call, at: now) { display.take(transfer.bytes) }
            let wanted = Self.call.rows(columns: columns, count: count, at: now).map { row in
                row.map {
                    ["ü": 0xF5, "ß": 0xE2, "ë": 0x65, "Ł": 0x4C, "ó": 0x6F, "ź": 0x7A][$0] ?? $0.asciiValue ?? 0
                }
            }
            #expect(display.rows(columns: columns, count: count) == wanted)
        }
        #expect(display.isOn && display.isLit && display.breaches == 0)
        for transfer in painter.stop() { display.take(transfer.bytes) }
        #expect(!display.isOn && !display.isLit)
    }

    /// A counter costs one character a second, not a picture.
    @Test(arguments: ["hd44780", "ssd1306"])
    func onlyDifferencesAreWritten(controller: String) throws {
        var painter = DisplayPainter(try Self.spec("controller: \(controller)"))
        _ = painter.show(Self.call, at: .zero + .seconds(60))
        let second = painter.show(Self.call, at: .zero + .seconds(61))
        #expect(second.reduce(0) { $0 + $1.bytes.count } < 32)
        #expect(painter.show(Self.call, at: .zero + .seconds(61)).isEmpty)
        painter.forget()
        #expect(painter.show(Self.call, at: .zero + .seconds(61)).count > second.count, "it starts again")
    }

    @Test func transfersFitBusLimit() throws {
        for controller in ["hd44780, size: 20x4", "ssd1306"] {
            var painter = DisplayPainter(try Self.spec("controller: \(controller)"))
            let long = DisplayContent(title: String(repeating: "W", count: 90), notes: ["%", "~", "\\", "漢字"])
            #expect(painter.show(long, at: .zero).allSatisfy { (1...33).contains($0.bytes.count) })
        }
    }

    @Test(arguments: [("128x64", 4), ("128x32", 2)])
    func dotDisplayShowsRows(_ size: String, _ rows: Int) throws {
        var (painter, display) = (DisplayPainter(try Self.spec("controller: ssd1306, size: \(size)")), SimulatedOLED())
        for seconds in [0, 1, 7, 61] {
            let now = Instant.zero + .seconds(seconds)
            for transfer in painter.show(Self.call, at: now) { display.take(transfer.bytes) }
            // A display that starts now would show the same.
            var (fresh, other) = (DisplayPainter(try Self.spec("controller: ssd1306, size: \(size)")), SimulatedOLED())
            for transfer in fresh.show(Self.call, at: now) { other.take(transfer.bytes) }
            #expect(display.picture == other.picture)
        }
        #expect(display.isOn && display.faults == 0 && display.rowsOfDots == 16 * rows)
        // The J of the first row, twice as high as its five by seven dots.
        let letter = display.picture.prefix(16).map { String($0.prefix(6)) }
        #expect(letter == Self.letterJ)
        for transfer in painter.stop() { display.take(transfer.bytes) }
        #expect(!display.isOn)
    }

    private static let signIn = DisplayContent(
        title: "WDJB-MJHT", detail: "phones.example.com/device", notes: ["Sign in at"],
        address: "https://phones.example.com/device?user_code=WDJB-MJHT")

    @Test(.enabled(if: (try? QRCode("x")) != nil, "needs libqrencode (Scripts/setup test)"))
    func dotDisplayShowsCodeBesideText() throws {
        var (painter, display) = (DisplayPainter(try Self.spec("controller: ssd1306")), SimulatedOLED())
        func show(_ content: DisplayContent) -> [String] {
            for transfer in painter.show(content, at: .zero) { display.take(transfer.bytes) }
            return display.picture
        }
        let before = show(Self.call)
        let picture = show(Self.signIn)
        let code = try QRCode(address: Self.signIn.address ?? "", correction: .low)
        // Each module has two dots, and the bright square is as wide as the display is high.
        let margin = (64 - 2 * code.width) / 2
        for row in 0..<code.width {
            for column in 0..<code.width {
                let dots = Array(picture[margin + 2 * row])[(64 + margin + 2 * column)...].prefix(2)
                #expect(String(dots) == (code.isBlack(row: row, column: column) ? ".." : "##"))
            }
        }
        #expect(picture[0].hasSuffix(String(repeating: "#", count: 64)))
        #expect(picture.contains { $0.prefix(60).contains("#") }, "the code as a text")
        #expect(painter.show(Self.signIn, at: .zero).isEmpty)
        #expect(show(Self.call) == before)
    }

    @Test func displayWithoutRoomShowsNoCode() throws {
        for controller in ["ssd1306, size: 128x32", "hd44780"] {
            var painter = DisplayPainter(try Self.spec("controller: \(controller)"))
            var without = DisplayPainter(try Self.spec("controller: \(controller)"))
            var text = Self.signIn
            text.address = nil
            #expect(painter.show(Self.signIn, at: .zero) == without.show(text, at: .zero))
        }
        var (painter, without) = (
            DisplayPainter(try Self.spec("controller: ssd1306")), DisplayPainter(try Self.spec("controller: ssd1306"))
        )
        var (long, text) = (Self.signIn, Self.signIn)
        (long.address, text.address) = (String(repeating: "x", count: 500), nil)
        #expect(painter.show(long, at: .zero) == without.show(text, at: .zero), "more modules than dots")
    }

    private static let letterJ = [
        "..###.", "..###.", "...#..", "...#..", "...#..", "...#..", "...#..", "...#..", "...#..", "...#..", "#..#..",
        "#..#..", ".##...", ".##...", "......", "......",
    ]
}
