import Base
import Bench
import Foundation
import QRCode
import Rig
import Testing

/// The programs of the machine that the tests need.
private enum Tools {
    static let hasEncoder = (try? QRCode("x")) != nil
    static let hasReader = FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg")
}

@Suite(.enabled(if: Tools.hasEncoder, "needs libqrencode (Scripts/setup test)"))
struct QRCodeTests {

    private let text = "https://phones.example.com/device?user_code=WDJB-MJHT"

    @Test func finderPatternsAreInThreeCorners() throws {
        let code = try QRCode(text)
        #expect(code.width % 4 == 1 && code.rows.count == code.width)
        let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        #expect(code.rows.prefix(7).map { String($0.prefix(7)) } == finder)
        #expect(code.rows.prefix(7).map { String($0.suffix(7)) } == finder)
        #expect(code.rows.suffix(7).map { String($0.prefix(7)) } == finder)
        #expect(!code.isBlack(row: -1, column: 0) && !code.isBlack(row: 0, column: code.width))
    }

    @Test func lowerCorrectionMakesSmallerCode() throws {
        #expect(try QRCode(text, correction: .low).width < QRCode(text, correction: .medium).width)
    }

    @Test func upperCaseServerMakesSmallerCode() throws {
        let long = text + "-1234"
        #expect(try QRCode(address: long, correction: .low).width < QRCode(long, correction: .low).width)
        let small = try QRCode(address: text, correction: .low)
        #expect(small.width == 29)
        let upper = "HTTPS://PHONES.EXAMPLE.COM/device?user_code=WDJB-MJHT"
        #expect(try small == QRCode(upper, correction: .low))
        #expect(try QRCode(address: "no address") == QRCode("no address"))
    }

    @Test func longTextIsRefused() {
        #expect(throws: QRCode.Failure.tooLong) { try QRCode(String(repeating: "x", count: QRCode.longest + 1)) }
        #expect(throws: QRCode.Failure.tooLong) { try QRCode("") }
    }

    /// zbar reads the code as a camera would.
    @Test(.enabled(if: Tools.hasReader, "needs zbar-tools (Scripts/setup test)"))
    func readerFindsTheText() throws {
        let (workplace, code) = (try Workplace(), try QRCode(text, correction: .low))
        let (scale, side) = (4, 4 * (code.width + 2 * QRCode.margin))
        var picture = "P1\n\(side) \(side)\n"
        for row in 0..<side {
            for column in 0..<side {
                let place = (row / scale - QRCode.margin, column / scale - QRCode.margin)
                picture += code.isBlack(row: place.0, column: place.1) ? "1" : "0"
            }
            picture += "\n"
        }
        try TextFile.write(picture, to: workplace.path + "/code.pbm")
        let read = try Command(program: ["zbarimg", "--quiet", "--raw", workplace.path + "/code.pbm"], in: workplace)
        #expect(read.output.split(separator: "\n").contains(Substring(text)), "\(read)")
    }
}
