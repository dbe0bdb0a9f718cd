import Base
import PhoneCore
import Testing

@Suite("Mistakes in dial plans")
struct DialPlanErrorTests {
    typealias Expected = DialPlanError.Expected

    struct Mistake: CustomTestStringConvertible, Sendable {
        let text: String
        let column: Int
        let expected: Expected
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ column: Int, _ expected: Expected) {
            (self.text, self.column, self.expected) = (text, column, expected)
        }
    }

    @Test(arguments: [
        Mistake("a", 1, .element), Mistake("12 3", 3, .element), Mistake("x-", 2, .element), Mistake("]", 1, .element),
        Mistake("}", 1, .element), Mistake("{2}", 1, .element), Mistake("x{2}{2}", 5, .element),
        Mistake("A", 1, .element), Mistake("1\0", 2, .element), Mistake("12📞", 3, .element),
        Mistake("x\u{301}", 2, .element), Mistake("１", 1, .element), Mistake("x?", 2, .element),
        Mistake("1.2", 3, .end), Mistake("1..", 3, .end), Mistake("1.{2}", 3, .end),
        Mistake("[]", 2, .setMember), Mistake("[", 2, .setMember), Mistake("[x]", 2, .setMember),
        Mistake("[-3]", 2, .setMember), Mistake("[^1]", 2, .setMember),
        Mistake("[1", 3, .setMemberOrEnd), Mistake("[1n]", 3, .setMemberOrEnd), Mistake("[1[", 3, .setMemberOrEnd),
        Mistake("[*-3]", 3, .setMemberOrEnd), Mistake("[1-2-3]", 5, .setMemberOrEnd),
        Mistake("[1-", 4, .rangeEnd), Mistake("[1-]", 4, .rangeEnd), Mistake("[5-3]", 4, .rangeEnd),
        Mistake("[1-*]", 4, .rangeEnd),
        Mistake("x{", 3, .count), Mistake("x{}", 3, .count), Mistake("x{,3}", 3, .count), Mistake("x{a}", 3, .count),
        Mistake("x{33}", 3, .count), Mistake("x{1,33}", 5, .count), Mistake("x{1,}", 5, .count),
        Mistake("x{-1}", 3, .count), Mistake("x{99999999999999999999999999}", 3, .count),
        Mistake("x{2", 4, .countEnd), Mistake("x{2 }", 4, .countEnd), Mistake("x{2]", 4, .countEnd),
        Mistake("x{2,3", 6, .countClose), Mistake("x{2,3,4}", 6, .countClose),
        Mistake("x{0}", 3, .countAbove), Mistake("x{0,0}", 5, .countAbove), Mistake("x{3,2}", 5, .countAbove),
        Mistake("", 1, .requiredKey), Mistake(".", 2, .requiredKey), Mistake("x{0,3}", 7, .requiredKey),
        Mistake("1{0,1}2{0,1}.", 14, .requiredKey),
        Mistake("x{32}x", 6, .fewerKeys), Mistake("12x{31}", 3, .fewerKeys), Mistake("x{0,32}1", 8, .fewerKeys),
        Mistake(String(repeating: "1", count: 33), 33, .fewerKeys),
        Mistake(String(repeating: "1", count: 65), 65, .fewerCharacters),
        Mistake(String(repeating: "[", count: 1_000_000), 65, .fewerCharacters),
    ])
    func invalidPatternReportsPosition(_ mistake: Mistake) {
        let expected = DialPlanError(.patterns, 2, column: mistake.column, expected: mistake.expected)
        #expect(throws: expected) { try DialPlan(patterns: ["x", mistake.text], emergency: []) }
    }

    @Test(arguments: [
        Mistake("", 1, .emergencyDigits), Mistake("1", 2, .emergencyDigits), Mistake("123456789", 9, .emergencyDigits),
        Mistake("1x2", 2, .emergencyDigits), Mistake("*11", 1, .emergencyDigits), Mistake("11２", 3, .emergencyDigits),
        Mistake("12345678x", 9, .emergencyDigits), Mistake("11\u{301}", 3, .emergencyDigits),
        Mistake(String(repeating: "1", count: 1_000_000), 9, .emergencyDigits),
        Mistake("9990", 4, .reachable), Mistake("99912345", 4, .reachable),
    ])
    func invalidEmergencyNumberIsRejected(_ mistake: Mistake) {
        let expected = DialPlanError(.emergency, 2, column: mistake.column, expected: mistake.expected)
        #expect(throws: expected) { try DialPlan(patterns: [], emergency: ["999", mistake.text]) }
    }

    @Test func shorterEmergencyNumberMayComeLast() {
        let expected = DialPlanError(.emergency, 1, column: 3, expected: .reachable)
        #expect(throws: expected) { try DialPlan(patterns: [], emergency: ["112", "11"]) }
    }

    @Test func limitsAreInclusive() throws {
        let patterns = Array(repeating: "[0123456789][0123456789][0123456789][0123456789][0123456789]x{4}", count: 64)
        #expect(patterns[0].count == 64)
        let emergency = (10..<25).map { "\($0)" } + ["99999999"]
        let plan = try DialPlan(patterns: patterns, emergency: emergency)
        #expect(plan.patterns == patterns)
        #expect(plan.emergency == emergency)
        #expect(plan.letters(typing: "300000000") == "ppppppppc")
        #expect(plan.letters(typing: "99999999") == "pppppppe")
        #expect(throws: DialPlanError(.patterns, 65, column: 1, expected: .fewerPatterns)) {
            try DialPlan(patterns: patterns + ["x"], emergency: emergency)
        }
        #expect(throws: DialPlanError(.emergency, 17, column: 1, expected: .fewerEmergencyNumbers)) {
            try DialPlan(patterns: patterns, emergency: emergency + ["30"])
        }
        let longest = try DialPlan(patterns: ["x{32}"], emergency: ["112", "112"])
        #expect(longest.verdict(String(repeating: "5", count: 31)) == .partial)
        #expect(longest.verdict(String(repeating: "5", count: 32)) == .complete)
    }

    @Test func errorsDescribeTheMistake() {
        let error = DialPlanError(.patterns, 3, column: 5, expected: .countEnd)
        #expect("\(error)" == "pattern 3, column 5: expected , or }")
        let other = DialPlanError(.emergency, 1, column: 2, expected: .emergencyDigits)
        #expect("\(other)" == "emergency number 1, column 2: expected 2 to 8 digits")
    }

    /// The limits that errors name are the limits that hold.
    @Test func documentedLimitsHold() {
        #expect(Expected.fewerPatterns.rawValue.contains("\(DialPlan.mostPatterns)"))
        #expect(Expected.fewerEmergencyNumbers.rawValue.contains("\(DialPlan.mostEmergencyNumbers)"))
        let lengths = DialPlan.emergencyLengths
        #expect(Expected.emergencyDigits.rawValue.contains("\(lengths.lowerBound) to \(lengths.upperBound)"))
    }

    /// Any text is a plan, or an error with a place in it or just after it.
    @Test func anyTextIsPatternOrError() {
        var random = SeededGenerator(seed: 20_260_713)
        let alphabet = Array("0159*#+xXnNzZ[]-{},.. ?\0é١")
        var accepted = 0
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "0" })
            do throws(DialPlanError) {
                let plan = try DialPlan(patterns: [text], emergency: [])
                accepted += 1
                #expect(plan.patterns == [text])
                #expect(plan.verdict("") == .partial)
            } catch {
                #expect(error.list == .patterns && error.entry == 1)
                #expect(
                    (1...text.unicodeScalars.count + 1).contains(error.column), "\(text.debugDescription): \(error)")
            }
        }
        #expect(accepted > 200)
    }
}
