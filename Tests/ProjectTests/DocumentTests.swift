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
        let tests = try Project.files(under: ["Tests"])
        for document in try Self.documents() {
            for match in document.text.matches(of: /`(\w+Tests)\.(\w+)`/) where match.2 != "swift" {
                #expect(
                    Project.declares(match.1, match.2, in: tests),
                    "\(document.name): there is no test \(match.1).\(match.2)")
            }
        }
    }
}
