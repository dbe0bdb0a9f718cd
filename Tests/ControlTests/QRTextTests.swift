import Base
import Bench
import Control
import Foundation
import JSON
import QRCode
import Rig
import Testing

/// The QR code of a sign-in, at a terminal.
@Suite struct QRTextTests {
    private static let hasTools =
        (try? QRCode("x")) != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg")
    private static let address = "https://id.example/device?user_code=WDJB-MJHT"
    private static let (white, plain) = ("\u{1B}[1;37;40m", "\u{1B}[0m")

    private static func rows(_ width: Int, _ row: (Int) -> String) -> JSONValue {
        .array((0..<width).map { .string(row($0)) })
    }

    private static let stripes = rows(21) { String(repeating: $0.isMultiple(of: 2) ? "#" : " ", count: 21) }

    @Test func lineShowsTwoRows() {
        let lines = QRText.lines(Self.stripes, width: 29, coloured: false)
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        let light = String(repeating: "█", count: 29)
        let margin = String(repeating: "█", count: 4)
        let code = margin + String(repeating: "▄", count: 21) + margin
        #expect(lines.prefix(3) == [light, light, code] && lines.suffix(3) == [code, light, light])
    }

    @Test func coloursAreSetOnEachLine() {
        let bare = QRText.lines(Self.stripes, width: 80, coloured: false)
        let coloured = QRText.lines(Self.stripes, width: 80, coloured: true)
        #expect(coloured == bare.map { Self.white + $0 + Self.plain })
    }

    @Test func codeThatDoesNotFitIsNotShown() {
        #expect(QRText.lines(Self.stripes, width: 28, coloured: false).isEmpty)
    }

    @Test(
        arguments: [
            nil, .null, .string("#"), [], rows(20) { _ in String(repeating: "#", count: 20) },
            rows(21) { String(repeating: "#", count: $0 == 7 ? 20 : 21) }, .array([JSONValue](repeating: 1, count: 21)),
            rows(179) { _ in String(repeating: "#", count: 179) },
        ] as [JSONValue?])
    func invalidCodeIsNotShown(_ rows: JSONValue?) {
        #expect(QRText.lines(rows, width: 1_000, coloured: false).isEmpty)
    }

    @Test func eventsLineHasNoPicture() {
        let event = ControlEvent(
            name: "signInCode", at: .zero, fields: ["code": "WDJB-MJHT", "qr": Self.stripes])
        let line = EventText.line(event, since: .zero)
        #expect(line.contains("code=WDJB-MJHT") && !line.contains("qr") && !line.contains("#"))
    }

    /// zbar reads the lines as a camera would, on a black terminal.
    @Test(.enabled(if: hasTools, "needs libqrencode and zbar-tools (Scripts/setup test)"), arguments: [false, true])
    func readerFindsTheAddress(coloured: Bool) throws {
        let code = try QRCode(Self.address, correction: .low)
        let rows = Self.rows(code.width) { row in
            String((0..<code.width).map { code.isBlack(row: row, column: $0) ? "#" : " " })
        }
        let lines = QRText.lines(rows, width: 80, coloured: coloured).map {
            $0.replacingOccurrences(of: Self.white, with: "").replacingOccurrences(of: Self.plain, with: "")
        }
        #expect(lines.count <= 20, "24 lines have room for it")
        let workplace = try Rig.Workplace()
        try TextFile.write(Self.picture(of: lines), to: workplace.path + "/code.pbm")
        let read = try Command(program: ["zbarimg", "--quiet", "--raw", workplace.path + "/code.pbm"], in: workplace)
        #expect(read.output.split(separator: "\n").contains(Substring(Self.address)), "\(read)")
    }

    /// Draws the lines on a black screen, as a bitmap (PBM), where 1 is black.
    private static func picture(of lines: [String]) -> String {
        let lit = lines.flatMap { line in [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }] }
        let (scale, border) = (4, 8)
        let side = scale * (max(lit.count, lit.first?.count ?? 0) + 2 * border)
        let dots = (0..<side).map { row in
            String(
                (0..<side).map { column -> Character in
                    let (y, x) = (row / scale - border, column / scale - border)
                    return lit.indices.contains(y) && lit[y].indices.contains(x) && lit[y][x] ? "0" : "1"
                })
        }
        return "P1\n\(side) \(side)\n" + dots.joined(separator: "\n") + "\n"
    }
}
