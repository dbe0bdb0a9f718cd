import Base
import PhoneCore
import Testing

/// Goal: a plan gives the verdict that the set of its numbers gives. Method: random patterns whose numbers are few enough
/// to be written out, and every number of up to four keys.
@Suite("Dial plans against enumerated numbers")
struct DialPlanReferenceTests {
    /// Stand for all keys: each element of the random patterns has one of them.
    private static let keys: [Character] = ["0", "1", "7", "*", "#"]

    /// Numbers are written out one key longer than they are typed, so that *could be longer* is known.
    private static let longest = 5

    private struct Element {
        let text: String
        let keys: [Character]
    }

    private static let elements = [
        Element(text: "0", keys: ["0"]), Element(text: "1", keys: ["1"]), Element(text: "7", keys: ["7"]),
        Element(text: "*", keys: ["*"]), Element(text: "#", keys: ["#"]), Element(text: "x", keys: ["0", "1", "7"]),
        Element(text: "N", keys: ["7"]), Element(text: "z", keys: ["1", "7"]),
        Element(text: "[0-24]", keys: ["0", "1"]), Element(text: "[*6-8]", keys: ["*", "7"]),
        Element(text: "[1#]", keys: ["1", "#"]),
    ]

    @Test(arguments: 1...UInt64(300))
    func verdictsMatchEnumeratedNumbers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var patterns: [String] = []
        var numbers: Set<String> = []
        while patterns.count < 1 + Int(seed % 3) {
            let (pattern, itsNumbers) = Self.pattern(using: &random)
            guard !itsNumbers.contains("") else { continue }
            patterns.append(pattern)
            numbers.formUnion(itsNumbers)
        }
        let emergency = seed.isMultiple(of: 4) ? ["171"] : []
        let plan = try DialPlan(patterns: patterns, emergency: emergency)
        let beginnings = Set(
            (numbers.union(emergency)).flatMap { number in number.indices.map { String(number[..<$0]) } })
        for typed in Self.strings(upTo: Self.longest - 1) where !typed.isEmpty {
            let expected: DialPlan.Verdict =
                switch (numbers.contains(typed), beginnings.contains(typed)) {
                case _ where emergency.contains(typed): .emergency
                case (true, true): .mayGrow
                case (true, false): .complete
                case (false, true): .partial
                case (false, false): .noMatch
                }
            #expect(plan.verdict(typed) == expected, "\(patterns), \(typed)")
        }
    }

    /// A pattern of at most four keys, and all its numbers of at most five of the keys.
    private static func pattern(using random: inout SeededGenerator) -> (text: String, numbers: Set<String>) {
        var text = ""
        var numbers: Set = [""]
        var room = longest - 1
        while room > 0, text.isEmpty || Bool.random(using: &random) {
            let element = elements[Int.random(in: elements.indices, using: &random)]
            let greatest = Int.random(in: 1...room, using: &random)
            let least = Int.random(in: 0...greatest, using: &random)
            let plain = greatest == 1 && least == 1
            text += element.text + (plain ? "" : least == greatest ? "{\(least)}" : "{\(least),\(greatest)}")
            let repeated = strings(of: element.keys, upTo: greatest).filter { $0.count >= least }
            numbers = joined(numbers, repeated)
            room -= greatest
        }
        guard Int.random(in: 0..<3, using: &random) == 0 else { return (text, numbers) }
        return (text + ".", joined(numbers, strings(of: ["0", "1", "7", "*"], upTo: longest)))
    }

    private static func joined(_ left: Set<String>, _ right: [String]) -> Set<String> {
        Set(left.flatMap { start in right.filter { start.count + $0.count <= longest }.map { start + $0 } })
    }

    private static func strings(of keys: [Character] = keys, upTo length: Int) -> [String] {
        var all = [""]
        var last = [""]
        for _ in 0..<length {
            last = last.flatMap { start in keys.map { start + String($0) } }
            all += last
        }
        return all
    }
}
