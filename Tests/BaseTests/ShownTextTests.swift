import Base
import Testing

@Suite("Text from strangers")
struct ShownTextTests {
    private static let mark = "\u{301}"

    @Test("one character of 3,900 marks keeps four of them")
    func oneCharacterOf3900MarksKeepsFourOfThem() {
        let name = "a" + String(repeating: Self.mark, count: 3_900) + "b"
        #expect(name.count == 2)
        #expect(
            name.shown(bytes: 128).unicodeScalars.elementsEqual(
                ("a" + String(repeating: Self.mark, count: 4) + "b").unicodeScalars))
    }

    @Test("the limit counts bytes and cuts between scalars")
    func limitCountsBytesAndCutsBetweenScalars() {
        #expect(String(repeating: "ä", count: 100).shown(bytes: 127).utf8.count == 126)
        #expect("abc".shown(bytes: 3) == "abc")
        #expect("abc".shown(bytes: 0).isEmpty)
        // Leading Jamo are one character, however many they are.
        #expect(String(repeating: "\u{1100}", count: 1_000).shown(bytes: 64).utf8.count == 63)
    }

    @Test(
        "terminal commands are removed",
        arguments: ["\u{202E}", "\u{2066}", "\u{200F}", "\u{7}", "\u{2028}", "\u{FEFF}", "\u{E000}"])
    func terminalCommandsAreRemoved(_ scalar: String) {
        #expect("2\(scalar)00".shown(bytes: 64) == "200")
    }

    @Test("ordinary writing with marks is unchanged", arguments: ["नमस्ते", "Nguyễn", "ที่อยู่", "שָׁלוֹם"])
    func ordinaryWritingWithMarksIsUnchanged(_ name: String) { #expect(name.shown(bytes: 128) == name) }

    @Test("secrets are equal exactly when their bytes are")
    func secretsAreEqualExactlyWhenTheirBytesAre() {
        #expect(equalsInConstantTime([1, 2, 3, 4], [1, 2, 3, 4], length: 8))
        for other: [UInt8] in [[1, 2, 3], [1, 2, 3, 5], [], [1, 2, 3, 4, 1, 2, 3, 4]] {
            #expect(!equalsInConstantTime([1, 2, 3, 4], other, length: 8))
            #expect(!equalsInConstantTime(other, [1, 2, 3, 4], length: 8))
        }
        #expect(equalsInConstantTime([], [], length: 8))
    }
}
