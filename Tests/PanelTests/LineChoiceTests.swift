import Panel
import Testing

@Suite("Choice of watched lines")
struct LineChoiceTests {
    private static let header = LineChoice([
        GPIOLine(offset: 0, name: "ID_SDA"), GPIOLine(offset: 1, name: "GPIO5"), GPIOLine(offset: 2, name: "GPIO6"),
        GPIOLine(offset: 3, name: "GPIO7", consumer: "spi0 CS1"), GPIOLine(offset: 4, name: "GPIO8", isOutput: true),
        GPIOLine(offset: 5, name: "SD-CLOCK"), GPIOLine(offset: 6, name: ""), GPIOLine(offset: 7, name: "17"),
        GPIOLine(offset: 8, name: "TWICE"), GPIOLine(offset: 9, name: "TWICE"),
    ])

    @Test("the default is the header's free inputs, or all free inputs, as many as fit")
    func defaultIsHeaderFreeInputsOrAllFreeInputsAsManyAsFit() {
        #expect(Self.header.usual.map(\.offset) == [1, 2])
        let plain = LineChoice((0..<80).map { GPIOLine(offset: $0, name: "", consumer: $0 == 3 ? "led" : nil) })
        #expect(plain.usual.count == LineChoice.most && !plain.usual.contains { $0.offset == 3 })
    }

    @Test(
        "names, numbers and ranges are accepted; a range skips lines in use",
        arguments: [
            ("GPIO5", [1]), ("GPIO6, 0", [2, 0]), ("1-5", [1, 2, 5]), ("SD-CLOCK 5", [5]), ("8-9", [8, 9]),
        ] as [(String, [UInt32])])
    func namesNumbersAndRangesAreAcceptedRangeSkipsLinesInUse(text: String, offsets: [UInt32]) throws {
        #expect(try Self.header.inputs(text).map(\.offset) == offsets)
    }

    @Test(
        "an unusable line is rejected with its reason",
        arguments: [
            ("GPIO7", "line \"GPIO7\" is in use by \"spi0 CS1\""),
            ("GPIO8", "line \"GPIO8\" is an output, but a contact needs an input"),
            ("GPIO99", "the chip has no line \"GPIO99\""), ("9-5", "the chip has no line \"9-5\""),
            ("\u{1b}[2J", "the chip has no line \"\u{FFFD}[2J\""), ("", "name at least one line"),
            ("3-4", "name at least one line"),
        ])
    func unusableLineIsRejectedWithItsReason(text: String, words: String) {
        #expect(throws: LineChoice.Refusal(words)) { try Self.header.inputs(text) }
    }

    @Test("a file names a line by its unique name, or by its number")
    func fileNamesLineByItsUniqueNameOrByItsNumber() {
        let selectors = Self.header.lines.map(Self.header.selector)
        #expect(selectors.prefix(2) == [.name("ID_SDA"), .name("GPIO5")])
        #expect(selectors.suffix(4) == [.offset(6), .offset(7), .offset(8), .offset(9)])
    }

    @Test("watched lines are requested as inputs, and no others, whatever the bias")
    func watchedLinesAreRequestedAsInputsAndNoOthersWhateverBias() {
        let requests = LineRequest.watching(Self.header.usual, of: "c", bias: .pullDown)
        #expect(requests.allSatisfy { $0.role == .input && $0.polarity == .activeHigh && $0.bias == .pullDown })
        #expect(requests.map(\.address) == [1, 2].map { LineAddress(chip: "c", line: .offset($0)) })
    }
}
