import Foundation
import PhoneCore
import Testing

@Suite("Dial plan language")
struct DialPlanTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let pattern: String
        let digits: String
        /// One letter for each digit, as `Verdict.letter` gives them.
        let verdicts: String
        var testDescription: String { "\(pattern) and \(digits)" }

        init(_ pattern: String, _ digits: String, _ verdicts: String) {
            (self.pattern, self.digits, self.verdicts) = (pattern, digits, verdicts)
        }
    }

    @Test(arguments: [
        Sample("7", "7", "c"), Sample("7", "8", "-"), Sample("7", "77", "c-"), Sample("7", "+", "-"),
        Sample("*7", "*7", "pc"), Sample("*7", "#7", "--"), Sample("#31#", "#31#", "pppc"),
        Sample("+49", "+49", "ppc"), Sample("+49", "0049", "----"),
        Sample("x", "0", "c"), Sample("x", "9", "c"), Sample("x", "*", "-"), Sample("x", "#", "-"),
        Sample("x", "+", "-"), Sample("X", "5", "c"),
        Sample("n", "1", "-"), Sample("n", "2", "c"), Sample("n", "9", "c"), Sample("N", "0", "-"),
        Sample("z", "0", "-"), Sample("z", "1", "c"), Sample("z", "9", "c"), Sample("Z", "0", "-"),
        Sample("[13-57]", "1", "c"), Sample("[13-57]", "2", "-"), Sample("[13-57]", "3", "c"),
        Sample("[13-57]", "4", "c"), Sample("[13-57]", "5", "c"), Sample("[13-57]", "6", "-"),
        Sample("[13-57]", "7", "c"), Sample("[13-57]", "0", "-"), Sample("[*#+]", "*", "c"),
        Sample("[*#+]", "#", "c"), Sample("[*#+]", "+", "c"), Sample("[4-4]", "4", "c"), Sample("[4-4]", "5", "-"),
        Sample("[0-9]", "0", "c"), Sample("[11]", "1", "c"),
        Sample("1.", "12*34", "mmmmm"), Sample("1.", "2", "-"), Sample("1.", "12#", "mm-"),
        Sample("1.", "12+", "mm-"), Sample("1.", "1*0", "mmm"),
        Sample("x{2}", "123", "pc-"), Sample("x{2,4}", "12345", "pmmc-"), Sample("x{1,1}", "1", "c"),
        Sample("1{0,1}n", "12", "pc"), Sample("1{0,1}n", "2", "c"), Sample("1{0,1}n", "112", "p--"),
        Sample("[12]{2}3", "123", "ppc"), Sample("[12]{2}3", "133", "p--"),
        Sample("0{0,2}1{0,2}2", "2", "c"), Sample("0{0,2}1{0,2}2", "00112", "ppppc"),
        Sample("0{0,2}1{0,2}2", "0212", "pc--"), Sample("x{02,03}", "123", "pmc"),
        Sample("x{2}.", "1234", "pmmm"), Sample("1x{0,2}.", "1234", "mmmm"),
    ])
    func matchesEveryElement(_ sample: Sample) throws {
        let plan = try DialPlan(patterns: [sample.pattern], emergency: [])
        #expect(plan.letters(typing: sample.digits) == sample.verdicts)
        #expect(plan.verdict("") == .partial)
    }

    @Test func longestPossibleMatchDecidesWhetherToWait() throws {
        let plan = try DialPlan(patterns: ["12", "1234", "2x", "21"], emergency: [])
        #expect(plan.letters(typing: "12345") == "pmpc-")
        #expect(plan.letters(typing: "21") == "pc")
        let other = try DialPlan(patterns: ["21", "2x", "1234", "12"], emergency: [])
        #expect(other.letters(typing: "12345") == "pmpc-")
    }

    @Test func emergencyNumberIsCompleteAtOnce() throws {
        let plan = try DialPlan(patterns: ["112xxx", "11", "911.", "0."], emergency: ["112", "911", "0112"])
        #expect(plan.letters(typing: "112") == "pme")
        #expect(plan.letters(typing: "911") == "ppe")
        #expect(plan.letters(typing: "0112") == "mmme")
        // A keypad cannot enter so many digits; a number from elsewhere gets the patterns' verdict.
        #expect(plan.verdict("112345") == .complete)
        #expect(plan.verdict("9112") == .mayGrow)
        #expect(plan.verdict("1123456") == .noMatch)
    }

    @Test func longerEmergencyNumberKeepsShorterWaiting() throws {
        let plan = try DialPlan(patterns: ["1", "9"], emergency: ["112"])
        #expect(plan.verdict("1") == .mayGrow)
        #expect(plan.verdict("9") == .complete)
    }

    @Test func emptyPlanMatchesNothing() throws {
        let plan = try DialPlan(patterns: [], emergency: [])
        #expect(plan.verdict("") == .noMatch)
        #expect(plan.verdict("1") == .noMatch)
        let emergency = try DialPlan(patterns: [], emergency: ["112"])
        #expect(emergency.letters(typing: "112") == "ppe")
    }

    @Test(arguments: [
        "1a", "a", "x", "1 2", "١", "1\u{301}", "１", "1\n", "\0", "-1", "📞", String(repeating: "9", count: 33),
        String(repeating: "\u{301}", count: 100_000),
    ])
    func invalidNumberMatchesNothing(_ text: String) {
        for (name, plan) in DialPlan.presets { #expect(plan.verdict(text) == .noMatch, "\(name)") }
    }

    /// A backtracking matcher would take longer than the universe is old. This one passes twice over a row of at most
    /// 32 steps for each key and pattern, so the work is bounded by construction. The test shows that the verdict is
    /// right, too.
    @Test func nestedRepetitionsAreCounted() throws {
        let hostile = "x{0,9}x{0,9}[0-9]{0,9}1{5}"
        let plan = try DialPlan(patterns: Array(repeating: hostile, count: 64), emergency: [])
        for count in 1...32 {
            let expected: DialPlan.Verdict = count < 5 ? .partial : count < 32 ? .mayGrow : .complete
            #expect(plan.verdict(String(repeating: "1", count: count)) == expected)
        }
        #expect(plan.verdict(String(repeating: "1", count: 31) + "2") == .noMatch)
        #expect(plan.verdict(String(repeating: "2", count: 27)) == .partial)
        #expect(plan.verdict(String(repeating: "2", count: 28)) == .noMatch)
    }

    @Test func storedPlanRoundTrips() throws {
        for (name, plan) in DialPlan.presets {
            let data = try JSONEncoder().encode(plan)
            #expect(try JSONDecoder().decode(DialPlan.self, from: data) == plan, "\(name)")
        }
        let data = try JSONEncoder().encode(try DialPlan(patterns: ["x{2}"], emergency: ["112"]))
        let written = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String]])
        #expect(written == ["patterns": ["x{2}"], "emergency": ["112"]])
    }

    @Test func invalidStoredPlanIsRejected() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(DialPlan.self, from: Data(#"{"patterns": ["1", "x{"], "emergency": []}"#.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription == "pattern 2, column 3: expected a count from 0 to 32")
    }
}

extension DialPlan.Verdict {
    var letter: Character {
        switch self {
        case .emergency: "e"
        case .complete: "c"
        case .mayGrow: "m"
        case .partial: "p"
        case .noMatch: "-"
        }
    }
}

extension DialPlan {
    /// The verdicts while a number is typed digit by digit.
    func verdicts(typing number: String) -> [Verdict] { number.indices.map { verdict(String(number[...$0])) } }

    func letters(typing number: String) -> String { String(verdicts(typing: number).map(\.letter)) }
}
