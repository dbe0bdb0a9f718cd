import Foundation
import Testing

/// `docs/spec-coverage.md` names only what exists, and claims nothing without naming it.
@Suite struct CoverageTests {
    private struct Row {
        let rule: String
        let decided: String
        let shown: String
    }

    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: Project.root.appendingPathComponent("docs/spec-coverage.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 5, cells[1] != "rule", !cells[1].hasPrefix("---") else { return nil }
            return Row(rule: cells[1], decided: cells[2], shown: cells[3])
        }
    }

    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
    }

    @Test func everyFileNamedExists() throws {
        let rows = try Self.rows()
        #expect(rows.count > 80)
        for row in rows {
            let files = Self.quoted(row.decided)
            #expect(!files.isEmpty || row.decided == "nowhere", "\(row.rule): decided nowhere?")
            for file in files {
                let path = Project.root.appendingPathComponent(file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(row.rule): there is no \(file)")
            }
        }
    }

    @Test func everyTestNamedExists() throws {
        let tests = try Project.files(under: ["Tests"])
        for row in try Self.rows() {
            let names = Self.quoted(row.shown)
            #expect(!names.isEmpty || row.shown.hasPrefix("not shown: "), "\(row.rule): no test, and no word of it")
            for name in names {
                let parts = name.split(separator: ".").map(String.init)
                let exists = Project.declares(parts[0], parts.count == 1 ? nil : parts[1], in: tests)
                #expect(exists, "\(row.rule): there is no test \(name)")
            }
        }
    }

    @Test func whatIsDecidedNowhereIsNotClaimed() throws {
        for row in try Self.rows() where row.decided == "nowhere" {
            #expect(row.shown.hasPrefix("not shown: "), "\(row.rule)")
        }
    }
}
