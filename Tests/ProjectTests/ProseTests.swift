import Foundation
import Testing

/// Documents, comments, help and log lines are plain English: short sentences, and hardly a word of `Prose.listed`.
@Suite struct ProseTests {
    /// A document, or the comments or literals of a module.
    private struct Group {
        let name: String
        var sentences: [Sentence] = []

        var words: Int { sentences.reduce(0) { $0 + $1.words } }
        var listed: Int { sentences.reduce(0) { $0 + $1.listed } }

        /// The broken limits, with the sentences to rewrite.
        var faults: [String] {
            let lengths = sentences.map(\.words).sorted()
            guard !lengths.isEmpty else { return [] }
            var faults: [String] = []
            let long = sentences.filter { $0.words > 40 }
            if !long.isEmpty { faults.append("\(name): sentences of more than 40 words:\(Self.list(long))") }
            let percentile = lengths[lengths.count * 9 / 10]
            // Fewer sentences have no percentile worth the name.
            if percentile > 26, lengths.count >= 20 {
                let longest = sentences.sorted { $0.words > $1.words }.prefix(10)
                faults.append("\(name): 90th percentile \(percentile) words; 26 is the limit:\(Self.list(longest))")
            }
            if listed * 2_000 > words, words >= 2_000 || listed > 1 {
                let hits = sentences.filter { $0.listed > 0 }
                let limit = "0.5 in 1000 is the limit"
                faults.append("\(name): \(listed) listed words in \(words); \(limit):\(Self.list(hits))")
            }
            return faults
        }

        private static func list(_ sentences: some Collection<Sentence>) -> String {
            sentences.prefix(20).map { "\n  \($0.file) (\($0.words)): \($0.text.prefix(200))" }.joined()
        }
    }

    /// The files that Git would see below a folder: nothing of a build.
    private static func files(below folder: String) throws -> [String] {
        let start = Project.root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: start.path)?.allObjects as? [String] ?? []
        return names.sorted().map { folder + "/" + $0 }.filter { !$0.contains("__pycache__") }
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Project.root.appendingPathComponent(path)))
    }

    private static func documents() throws -> [String] {
        let top = try FileManager.default.contentsOfDirectory(atPath: Project.root.path)
        return try (top + files(below: "docs")).filter { $0.hasSuffix(".md") }.sorted()
    }

    /// The texts of a file by the group that they belong to.
    private static func texts(of path: String) throws -> [(group: String, text: [UInt8])] {
        let name = path.split(separator: "/")
        let group = name.prefix(name[0] == "Scripts" ? 1 : 2).joined(separator: "/")
        switch name.last?.split(separator: ".").last {
        case "swift":
            let source = try bytes(of: path)
            let comments = ProseSource.slashComments(source).map { (group, $0) }
            guard path.hasPrefix("Sources/") else { return comments }
            return comments + ProseLiterals.texts(in: source).map { (group + ", literals", $0) }
        case "js", "c", "h": return ProseSource.slashComments(try bytes(of: path)).map { (group, $0) }
        case "py": return ProseSource.hashComments(try bytes(of: path), of: String(name.last ?? "")).map { (group, $0) }
        default:
            var isFolder: ObjCBool = false
            let file = Project.root.appendingPathComponent(path).path
            guard path.hasPrefix("Scripts/"), FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return [] }
            let source = try bytes(of: path)
            guard source.starts(with: "#!".utf8) else { return [] }
            return ProseSource.hashComments(source, of: String(name.last ?? "")).map { (group, $0) }
        }
    }

    private static func groups() throws -> [Group] {
        var groups: [String: Group] = [:]
        for document in try documents() {
            let texts = ProseSource.markdown(try bytes(of: document))
            groups[document] = Group(
                name: document, sentences: texts.flatMap { Prose.sentences(of: $0, file: document) })
        }
        for path in try ["Sources", "Tests", "Scripts"].flatMap(files) {
            for (group, text) in try texts(of: path) {
                groups[group, default: Group(name: group)].sentences += Prose.sentences(of: text, file: path)
            }
        }
        return groups.values.sorted { $0.name < $1.name }
    }

    @Test
    func textIsPlain() throws {
        let groups = try Self.groups()
        #expect(groups.count > 100)
        for fault in groups.flatMap(\.faults) { Issue.record("\(fault)") }
    }

    @Test
    func markdownIsWrappedAtHundredColumns() throws {
        for document in try Self.documents() {
            let wide = ProseSource.wideLines(try Self.bytes(of: document), limit: 100)
            #expect(wide.isEmpty, "\(document): lines \(wide.map(\.number))")
        }
    }

    @Test
    func tableCellsForUsersAreShort() throws {
        for document in try Self.documents() where document.hasPrefix("docs/user/") {
            for cell in ProseSource.tableCells(try Self.bytes(of: document)) {
                let words = Prose.sentences(of: cell).reduce(0) { $0 + $1.words }
                let start = String(decoding: cell, as: UTF8.self).prefix(200)
                #expect(words <= 25, "\(document): \(words) words: \(start)")
            }
        }
    }
}

extension ProseTests {
    private static func group(_ markdown: String) -> Group {
        let texts = ProseSource.markdown(Array(markdown.utf8))
        return Group(name: "planted", sentences: texts.flatMap { Prose.sentences(of: $0) })
    }

    private static let plain = "The phone rejects the call. It logs the reason, e.g. a wrong password.\n\n"

    @Test func acceptsPlainText() {
        #expect(Self.group(Self.plain).faults.isEmpty)
        #expect(Self.group(Self.plain).sentences.map(\.words) == [5, 9])
    }

    @Test func rejectsSentenceOfMoreThanFortyWords() {
        let planted = "A word" + String(repeating: " and a word", count: 13) + "."
        let faults = Self.group(String(repeating: Self.plain, count: 20) + planted).faults
        #expect(faults.count == 1 && faults[0].contains("(41): A word and a word"), "\(faults)")
    }

    @Test func rejectsManyLongSentences() {
        let planted = "A word" + String(repeating: " and a word", count: 9) + ".\n\n"
        let faults = Self.group(String(repeating: Self.plain + planted, count: 10)).faults
        #expect(faults.count == 1 && faults[0].contains("90th percentile 29 words"), "\(faults)")
    }

    @Test func rejectsListedWords() {
        let planted = "What it is told is none of\nits own, and it is refused in words.\n\n"
        let text = Self.plain + planted
        let faults = Self.group(text).faults
        #expect(faults.count == 1 && faults[0].contains("4 listed words in 29"), "\(faults)")
        #expect(Self.group("The state is none. It is `in words`, told offline.").faults.isEmpty, "one word may stay")
        #expect(!Self.group(String(repeating: Self.plain, count: 200) + planted).faults.isEmpty, "in many words, too")
    }

    @Test func readsCommentsHelpAndLogLinesButNoCode() {
        // In a literal of several lines, this file's own comments would count.
        let source =
            "/// Answers whom it knows.\n///\n/// - Returns: The call.\nlet whom = 1\n"
            + #"log.warning("\(name): it is told nothing " + "by the server")"#
        let comments = ProseSource.slashComments(Array(source.utf8)).flatMap { Prose.sentences(of: $0) }
        #expect(comments.map(\.text) == ["Answers whom it knows."])
        let literals = ProseLiterals.texts(in: Array(source.utf8)).flatMap { Prose.sentences(of: $0) }
        #expect(literals.map(\.text) == ["X: it is told nothing by the server"] && literals[0].listed == 1)
        let script = """
            #!/usr/bin/env python3
            # Starts whom it finds.
            text = \"""whom
            \"""
            \"""Says so
            to all.\"""
            print(whom)
            """
        let lines = ProseSource.hashComments(Array(script.utf8)).flatMap { Prose.sentences(of: $0) }
        #expect(lines.map(\.text) == ["Starts whom it finds.", "Says so to all."])
        #expect(lines.map(\.listed) == [1, 1])
    }

    @Test func measuresLinesOutsideTablesCodeAndLinks() {
        let wide = String(repeating: "ä ", count: 51)
        let text = "\(wide)\n| \(wide) |\n```\n\(wide)\n```\n[\(wide)](page.md)\n"
        #expect(ProseSource.wideLines(Array(text.utf8), limit: 100).map(\.number) == [1])
        #expect(ProseSource.tableCells(Array("| one | two |\n|---|---|\n| a | b c |\n".utf8)).count == 4)
    }
}
