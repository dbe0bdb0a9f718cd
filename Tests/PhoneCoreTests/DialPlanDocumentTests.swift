import Foundation
import PhoneCore
import Testing

/// Every number that `docs/user/dial-plan.md` gives as an example, typed digit by digit.
@Suite("The dial plans that come with the phone")
struct DialPlanDocumentTests {
    /// A row as `| pattern | for | example | verdicts |` under a heading `### name`.
    struct Row: CustomTestStringConvertible, Sendable {
        let plan: String
        let pattern: String
        let example: String
        let verdicts: String
        var testDescription: String { "\(plan): \(pattern), \(example)" }
        var isEmergency: Bool { verdicts.hasSuffix("emergency") }
    }

    static let rows = read()

    @Test func documentListsEveryPlanInOrder() {
        #expect(Set(Self.rows.map(\.plan)) == Set(DialPlan.presets.map(\.name)))
        for (name, plan) in DialPlan.presets {
            let rows = Self.rows.filter { $0.plan == name }
            #expect(Self.unique(rows.filter { !$0.isEmergency }.map(\.pattern)) == plan.patterns, "\(name)")
            #expect(rows.filter(\.isEmergency).map(\.pattern) == plan.emergency, "\(name)")
        }
    }

    @Test(arguments: rows)
    func exampleHasDocumentedVerdict(_ row: Row) throws {
        let plan = try #require(DialPlan(named: row.plan))
        let digits = row.example.filter { $0 != " " }
        #expect(Self.told(plan.verdicts(typing: digits)) == row.verdicts)
        guard !row.isEmergency else { return }
        let alone = try DialPlan(patterns: [row.pattern], emergency: [])
        #expect([.complete, .mayGrow].contains(alone.verdict(digits)), "an example of another pattern")
    }

    @Test func planNameIsOneOfFive() {
        #expect(DialPlan.presets.map(\.name) == ["US", "GB", "DE", "office", "open"])
        #expect(DialPlan(named: "US") == .us)
        #expect(DialPlan(named: "open") == .open)
        for name in ["", "us", "FR", "Office", "US "] { #expect(DialPlan(named: name) == nil) }
    }

    /// No pattern delays a dialled emergency number, or dials a shorter part of it early.
    @Test func emergencyNumbersAreReachedInEveryPlan() {
        for (name, plan) in DialPlan.presets {
            for number in plan.emergency {
                let verdicts = plan.verdicts(typing: number)
                #expect(verdicts.last == .emergency, "\(name): \(number)")
                #expect(
                    !verdicts.dropLast().contains { [.complete, .noMatch, .emergency].contains($0) },
                    "\(name): \(number)")
            }
        }
    }

    /// The verdicts as text, for example `partial ×2, complete`.
    private static func told(_ verdicts: [DialPlan.Verdict]) -> String {
        var runs: [(verdict: DialPlan.Verdict, count: Int)] = []
        for verdict in verdicts {
            if let last = runs.last, last.verdict == verdict {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((verdict, 1))
            }
        }
        return runs.map { $0.count == 1 ? "\($0.verdict)" : "\($0.verdict) ×\($0.count)" }.joined(separator: ", ")
    }

    private static func unique(_ names: [String]) -> [String] {
        names.enumerated().filter { index, name in index == 0 || names[index - 1] != name }.map(\.element)
    }

    private static func read() -> [Row] {
        let file = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/docs/user/dial-plan.md"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            Issue.record("\(file) cannot be read")
            return []
        }
        var plan: String?
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") { plan = line.hasPrefix("### ") ? String(line.dropFirst(4)) : nil }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let plan, cells.count == 4, cells[0].hasPrefix("`") else { continue }
            let bare = cells.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
            rows.append(Row(plan: plan, pattern: bare[0], example: bare[2], verdicts: bare[3]))
        }
        return rows
    }
}
