import Foundation
import Testing
import YAML

@Suite("YAML: text to tree")
struct ParsingTests {
    private func document(_ text: String, limits: YAMLLimits = YAMLLimits()) throws(YAMLError) -> YAMLDocument {
        try YAMLDocument(Array(text.utf8), file: "t.yaml", limits: limits)
    }

    @Test("every node knows its line and column")
    func everyNodeKnowsItsLineAndColumn() throws {
        let root = try document("a: 1\nb:\n  - x\n  - {c: 'y'}\n").root
        guard case .mapping(let entries) = root.content, case .sequence(let list) = entries[1].value.content,
            case .mapping(let inner) = list[1].content
        else {
            Issue.record("wrong shape: \(root)")
            return
        }
        #expect(root.mark == YAMLMark(line: 1, column: 1))
        #expect(entries.map(\.key) == ["a", "b"])
        #expect(entries[0].value.content == .scalar("1", plain: true))
        #expect(entries[0].value.mark == YAMLMark(line: 1, column: 4))
        #expect(entries[1].mark == YAMLMark(line: 2, column: 1))
        #expect(list[0].mark == YAMLMark(line: 3, column: 5))
        #expect(inner[0].value.content == .scalar("y", plain: false))
        #expect(inner[0].value.mark == YAMLMark(line: 4, column: 9))
    }

    @Test("an empty text is an empty mapping", arguments: ["", "\n", "# nothing but words\n", "\u{FEFF}"])
    func emptyTextIsEmptyMapping(_ text: String) throws {
        #expect(try document(text).root.content == .mapping([]))
    }

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let message: String
    }

    @Test(
        "unsupported YAML is rejected by name and place",
        arguments: [
            Refusal(testDescription: "anchor", text: "a: &x 1", message: "1:4: anchors (&name) are not supported here"),
            Refusal(testDescription: "alias", text: "a: *x", message: "1:4: aliases (*name) are not supported here"),
            Refusal(testDescription: "tag", text: "a: !!str 1", message: "1:4: tags (!name) are not supported here"),
            Refusal(testDescription: "bare tag", text: "- ! x", message: "1:3: tags (!name) are not supported here"),
            Refusal(
                testDescription: "tagged list", text: "!x [1]", message: "1:1: tags (!name) are not supported here"),
            Refusal(
                testDescription: "two documents", text: "a: 1\n---\nb: 2\n",
                message: "2:1: several documents in one file are not supported here"),
            Refusal(
                testDescription: "list as a key", text: "[1]: 2",
                message: "1:1: keys that are not text are not supported here"),
            Refusal(
                testDescription: "key twice", text: "a: 1\nb: 2\na: 3\n",
                message: "3:1: key \"a\" appears twice; first in line 1"),
            Refusal(
                testDescription: "open list", text: "a: [1",
                message: "2:1: while parsing a flow sequence: did not find expected ',' or ']'"),
            Refusal(
                testDescription: "tab", text: "a:\n\tb: 1\n",
                message: "2:1: a tab in the indentation; YAML accepts only spaces"),
            Refusal(
                testDescription: "tab behind spaces", text: "a:\n  b: 1\n  \tc: 2\n",
                message: "3:3: a tab in the indentation; YAML accepts only spaces"),
            Refusal(
                testDescription: "control character", text: "a: 1\nb: x\u{7}\n",
                message: "2:5: character 0x7 is not allowed in text"),
        ])
    func unsupportedYAMLIsRejectedByNameAndPlace(_ refusal: Refusal) {
        #expect(message { () throws(YAMLError) in _ = try document(refusal.text) } == "t.yaml:" + refusal.message)
    }

    /// Windows editors put U+FEFF before the text; others write Latin-1.
    @Test("a byte order mark is no part of the text")
    func byteOrderMarkIsNoPartOfText() throws {
        #expect(try document("\u{FEFF}a: 1\nb: 2\n").root == document("a: 1\nb: 2\n").root)
    }

    static let encodings: [(bytes: [UInt8], words: String)] = [
        ([UInt8]("a: 1\n# Gr".utf8) + [0xFC, 0xDF, 0x65, 0x0A], "2:5: byte 0xFC is not UTF-8"),
        ([UInt8]("a: 1\nname: ü M".utf8) + [0xE4, 0x72, 0x7A, 0x0A], "2:10: byte 0xE4 is not UTF-8"),
        ([0xFF, 0xFE, 0x61, 0x00], "1:1: the file is in UTF-16"),
        ([0xFE, 0xFF, 0x00, 0x61], "1:1: the file is in UTF-16"),
        ([0xE4], "1:1: byte 0xE4 is not UTF-8"),
    ]

    @Test("another encoding is named at its place", arguments: encodings)
    func anotherEncodingIsNamedAtItsPlace(bytes: [UInt8], words: String) {
        let said = message { () throws(YAMLError) in _ = try YAMLDocument(bytes, file: "t.yaml") }
        #expect(said?.hasPrefix("t.yaml:" + words) == true, "\(said ?? "read")")
    }

    @Test("limits hold exactly")
    func limitsHoldExactly() {
        var limits = YAMLLimits()
        limits.depth = 3
        limits.nodes = 10
        limits.bytes = 30
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        let flat = { (count: Int) in "[" + Array(repeating: "1", count: count - 1).joined(separator: ",") + "]" }
        let outcome = { (text: String) in message { () throws(YAMLError) in _ = try document(text, limits: limits) } }
        #expect(outcome(nested(4)) == nil)
        #expect(outcome(nested(5)) == "t.yaml:1:5: more than 3 nested levels")
        #expect(outcome(flat(10)) == nil)
        #expect(outcome(flat(11)) == "t.yaml:1:20: more than 10 values")
        #expect(outcome(String(repeating: "#", count: 30)) == nil)
        #expect(outcome(String(repeating: "#", count: 31)) == "t.yaml: larger than 30 bytes")
    }

    @Test("a mebibyte of opening brackets is rejected at once")
    func mebibyteOfOpeningBracketsIsRejectedAtOnce() {
        let text = String(repeating: "[", count: 1 << 20)
        let refusal = message { () throws(YAMLError) in _ = try document(text) }
        #expect(refusal?.contains("more than 32 nested levels") == true)
    }

    /// Any bytes give a tree or an error, and never a crash: every text of up to four characters of YAML's alphabet.
    @Test("all short texts are read or rejected")
    func allShortTextsAreReadOrRejected() {
        let alphabet = Array("a:-[]{}&*|'\n \u{0}\u{80}".utf8)
        var (trees, errors) = (0, 0)
        for length in 0...4 {
            for number in 0..<(0..<length).reduce(1, { count, _ in count * alphabet.count }) {
                var (rest, bytes) = (number, [UInt8]())
                for _ in 0..<length {
                    bytes.append(alphabet[rest % alphabet.count])
                    rest /= alphabet.count
                }
                do throws(YAMLError) {
                    _ = try YAMLDocument(bytes, file: "t.yaml")
                    trees += 1
                } catch {
                    errors += 1
                }
            }
        }
        #expect(trees > 5_000)
        #expect(errors > 10_000)
    }

    @Test(
        "unreadable files have their reason",
        arguments: [
            ("/nowhere/x.yaml", "cannot be read: No such file or directory"), ("/tmp", "cannot be read: not a file"),
            ("/dev/zero", "cannot be read: not a file"),
        ])
    func unreadableFilesHaveTheirReason(_ path: String, _ reason: String) {
        #expect(message { () throws(YAMLError) in _ = try YAMLDocument(path: path) } == "\(path): \(reason)")
    }

    /// Of 16 GB of zeros only enough is read to exceed the limit.
    @Test("a file is read no further than its limit")
    func fileIsReadNoFurtherThanItsLimit() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 1 << 34)
        try file.close()
        let outcome = message { () throws(YAMLError) in _ = try YAMLDocument(path: path) }
        #expect(outcome == "\(path): larger than 1048576 bytes")
    }

    /// Files are read piece by piece, of 16 KiB each.
    @Test("a file is read whole, and rejected beyond its limit", arguments: [0, 1, 16_383, 16_384, 16_385, 50_000])
    func fileIsReadWholeAndRejectedBeyondItsLimit(length: Int) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for more in 0...1 {
            // The error in its last line shows that it was read.
            let text = String(repeating: "#", count: max(0, length - 3)) + "\n]\n".suffix(length)
            try Data((text + String(repeating: "#", count: more)).utf8).write(to: URL(fileURLWithPath: path))
            var limits = YAMLLimits()
            limits.bytes = length
            let outcome = message { () throws(YAMLError) in _ = try YAMLDocument(path: path, limits: limits) }
            let whole = length < 3 ? nil : "\(path):2:1: "
            let expected = more == 0 ? whole : "\(path): larger than \(length) bytes"
            #expect(expected.map { outcome?.hasPrefix($0) == true } ?? (outcome == nil), "\(outcome ?? "read")")
        }
    }
}

/// The printed error; nil without an error.
func message(_ body: () throws(YAMLError) -> Void) -> String? {
    do throws(YAMLError) {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}
