import Base
import Testing

@Suite struct SearchTests {
    /// Letters that merge with their neighbours into one character.
    private static let pieces = ["a", "b", ":", "e", "é", "\u{301}", "\r", "\n", "👩", "\u{200D}", "👧"]

    @Test func firstPlaceIsFound() {
        let text = "sip:anna@192.0.2.1//x//"
        #expect(text.place(of: "//").map { text[..<$0.lowerBound] } == "sip:anna@192.0.2.1")
        #expect(text.includes("anna") && !text.includes("Anna") && !text.includes("///"))
        let bytes: [UInt8] = [1, 2, 1, 2, 3]
        #expect(bytes.place(of: [1, 2, 3]) == 2..<5)
        #expect(bytes[3...].place(of: [2, 3]) == 3..<5 && bytes[4...].place(of: [2, 3]) == nil)
    }

    @Test func emptyPatternStandsAtStart() {
        #expect([1, 2].place(of: []) == 0..<0 && "".includes("") && !"".includes("a"))
    }

    @Test func textsAreComparedByCharacters() {
        #expect("caf\u{E9}".includes("fe\u{301}") && !"cafe\u{301}".includes("fe") && !"a\r\n".includes("\n"))
    }

    @Test func partsIncludeEmptyOnes() {
        #expect("::1".parts(between: "::") == ["", "1"] && "1:::2".parts(between: "::") == ["1", ":2"])
        #expect("".parts(between: ", ") == [""] && "a, b, ".parts(between: ", ") == ["a", "b", ""])
        #expect("offhook/{device}/x".parts(between: "{device}").joined(separator: "desk-1") == "offhook/desk-1/x")
    }

    /// The phone used the standard library's searches until it had its own.
    @Test func resultsEqualThoseOfStandardLibrary() {
        var generator = SeededGenerator(seed: 20_261_128)
        for _ in 0..<20_000 {
            let (text, pattern) = (Self.text(0...9, &generator), Self.text(0...3, &generator))
            #expect(text.place(of: pattern) == text.firstRange(of: pattern), "\(text.debugDescription)")
            #expect(Array(text.utf8).place(of: Array(pattern.utf8)) == Array(text.utf8).firstRange(of: pattern.utf8))
            guard !pattern.isEmpty else { continue }
            let parts = text.split(separator: pattern, omittingEmptySubsequences: false)
            #expect(text.parts(between: pattern) == parts, "\(text.debugDescription), \(pattern.debugDescription)")
        }
    }

    private static func text(_ length: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: length, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }.joined()
    }
}
