import Foundation
import Testing

/// What the documents name is there. Decisions and the change log tell of their time, and may name what is gone.
@Suite struct DocumentTests {
    private static func documents() throws -> [(name: String, text: String)] {
        let folder = Project.root.appendingPathComponent("docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return try (names.map { "docs/" + $0 } + ["README.md"]).map { name in
            (name, try String(contentsOf: Project.root.appendingPathComponent(name), encoding: .utf8))
        }
    }

    @Test func everyFileOfCodeExists() throws {
        let files = try Project.files(under: ["Sources", "Tests"]).map(\.path) + ["Package.swift"]
        for document in try Self.documents() {
            for match in document.text.matches(of: /`([\w+\/.\-]+\.swift)`/) {
                let name = String(match.1)
                #expect(
                    files.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(document.name): there is no \(name)")
            }
        }
    }

    @Test func everyTestExists() throws {
        let tests = try DeclaredTests()
        for document in try Self.documents() {
            for match in document.text.matches(of: /`(\w+Tests)\.(\w+)`/) where match.2 != "swift" {
                #expect(
                    tests.contains(match.1, match.2),
                    "\(document.name): there is no test \(match.1).\(match.2)")
            }
        }
    }

    @Test func everyBoardExists() throws {
        let folder = Project.root.appendingPathComponent("board")
        let boards = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for document in try Self.documents() {
            for match in document.text.matches(of: /\b(?:raspberry-pi|beaglebone)[\w\-]*/) {
                #expect(boards.contains(match.output + ".yaml"), "\(document.name): there is no board \(match.output)")
            }
        }
    }

    /// The lines of `docs/dev/architecture.md` that are rows of tables, as their cells.
    private static func rows(of name: String) throws -> [[String]] {
        let text = try String(contentsOf: Project.root.appendingPathComponent("docs/dev/" + name), encoding: .utf8)
        return text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    private static func quoted(_ text: String) -> [String] { text.matches(of: /`([^`]+)`/).map { String($0.1) } }

    @Test func theTableOfImportsIsTheManifest() throws {
        var imports = try Manifest.imports()
        for row in try Self.rows(of: "architecture.md") where row.count == 3 {
            guard let module = Self.quoted(row[0]).first, let listed = imports.removeValue(forKey: module) else {
                continue
            }
            #expect(Set(Self.quoted(row[2])) == listed, "docs/dev/architecture.md: \(module)")
        }
        #expect(imports.isEmpty, "docs/dev/architecture.md lacks rows")
    }

    @Test func whereToLookNamesFilesThatHoldTheAnswer() throws {
        let files = try Project.files(under: ["Sources"])
        let rows = try Self.rows(of: "architecture.md").filter { $0.count == 2 && $0[0].hasSuffix("?") }
        var answers = 0
        for row in rows {
            let quoted = Self.quoted(row[1])
            let named = files.filter { file in quoted.contains { file.path.hasSuffix("/" + $0) } }
            // A folder, a script and a file are where to look; everything else in backticks is what stands there.
            for answer in quoted where !answer.hasSuffix(".swift") && !answer.contains(/^\w+\//) {
                answers += 1
                let isThere = named.contains { $0.lines.contains { $0.contains(answer) } }
                #expect(isThere, "docs/dev/architecture.md: \(row[0]): \(answer) is in none of \(named)")
            }
        }
        #expect(rows.count > 20 && answers >= 15)
    }

    @Test func everyAcceptedMutantIsOfALineThatExists() throws {
        let files = try Project.files(under: ["Sources"])
        let rows = try Self.rows(of: "mutation-survivors.md").filter { $0.count == 4 && $0[0].hasPrefix("Sources/") }
        #expect(rows.count > 8)
        for row in rows {
            let file = files.first { $0.path == row[0] }
            let line = row[1].trimmingCharacters(in: ["`"])
            let isThere = file?.lines.contains { $0.trimmingCharacters(in: .whitespaces) == line } ?? false
            #expect(isThere, "docs/dev/mutation-survivors.md: \(row[0]) has no line \(line)")
        }
    }
}
