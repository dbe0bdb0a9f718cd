import Foundation
import Testing

/// The documents name only files, tests and boards that exist.
@Suite struct DocumentTests {
    /// The Markdown files of the root and of all folders in `docs/`.
    private static func paths() throws -> [String] {
        let root = try FileManager.default.contentsOfDirectory(atPath: Project.root.path)
        let docs = try FileManager.default.subpathsOfDirectory(
            atPath: Project.root.appendingPathComponent("docs").path)
        return (root + docs.map { "docs/" + $0 }).filter { $0.hasSuffix(".md") }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: Project.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Decisions and the change log describe the past. They may name what was removed.
    private static func documents() throws -> [(name: String, text: String)] {
        try paths().filter { $0 != "CHANGELOG.md" && !$0.contains("/decisions/") }.map { ($0, try text(of: $0)) }
    }

    /// The fragments that GitHub makes of a document's headings, and those that the document sets itself.
    private static func fragments(of text: String) -> Set<String> {
        let headings = text.matches(of: /(?m)^#{1,6} +(.+)$/).map { match in
            match.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
        }
        return Set(headings + text.matches(of: /\bid="([^"]+)"/).map { String($0.1) })
    }

    @Test func everyRelativeLinkHasATarget() throws {
        let fragments = try Dictionary(
            uniqueKeysWithValues: Self.paths().map { ($0, Self.fragments(of: try Self.text(of: $0))) })
        for path in fragments.keys {
            // Code may look like a link.
            let prose = try Self.text(of: path).replacing(/```[\s\S]*?```/, with: "")
                .replacing(/`[^`\n]*`/, with: "")
            for match in prose.matches(of: /\]\(([^)\s#]*)(?:#([^)\s]*))?/) where !match.1.contains(":") {
                let folder = path.split(separator: "/").dropLast()
                var parts = match.1.isEmpty ? path.split(separator: "/") : folder + match.1.split(separator: "/")
                while let up = parts.firstIndex(of: ".."), up > 0 { parts.removeSubrange(up - 1...up) }
                let target = parts.joined(separator: "/")
                let file = Project.root.appendingPathComponent(target).path
                #expect(FileManager.default.fileExists(atPath: file), "\(path): there is no \(target)")
                guard let fragment = match.2, let known = fragments[target] else { continue }
                #expect(known.contains(String(fragment)), "\(path): \(target) has no heading for #\(fragment)")
            }
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
