import ConfigurationReference
import Foundation
import Panel
import PhoneCore
import Rig
import Testing
import YAML
import offhook

/// The reference of the configuration lists what the program reads.
@Suite struct ConfigurationReferenceTests {
    private static let folder = Workplace.root + "/docs/user/configuration/"
    private static let boardFile = "board-file"

    @Test("swift run -c release offhook-reference writes docs/user/configuration")
    func pagesAreUpToDate() throws {
        let files = ConfigurationReference.files
        for file in files {
            #expect(try String(contentsOfFile: Self.folder + file.name, encoding: .utf8) == file.text, "\(file.name)")
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: Self.folder)) == Set(files.map(\.name)))
    }

    @Test func noCellHasMoreThan25Words() {
        for file in ConfigurationReference.files {
            for row in file.text.split(separator: "\n") where row.hasPrefix("| ") {
                for cell in row.split(separator: "|") {
                    #expect(cell.split(separator: " ").count <= 25, "\(file.name): \(cell)")
                }
            }
        }
    }

    @Test(arguments: ConfigurationReference.pages.map(\.name))
    func everyExampleIsAccepted(_ name: String) throws {
        let page = try #require(ConfigurationReference.pages.first { $0.name == name })
        for example in Self.examples(in: page.text) {
            if name == Self.boardFile {
                let board: Board = try YAMLDocument(Array(example.utf8), file: page.file).read()
                #expect(!board.name.isEmpty)
            } else {
                _ = try Settings(Self.completed(example), path: "/phone/offhook.yaml")
            }
        }
    }

    /// The configurations on the pages for users.
    static let recipes = ["asterisk", "dial-plan", "fritzbox", "freeswitch", "kamailio", "provider", "two-phones"]

    @Test(arguments: recipes)
    func everyRecipeIsAccepted(_ name: String) throws {
        let page = try String(contentsOfFile: Workplace.root + "/docs/user/\(name).md", encoding: .utf8)
        let examples = Self.examples(in: page)
        #expect(!examples.isEmpty)
        for example in examples { _ = try Settings(Self.completed(example), path: "/phone/offhook.yaml") }
    }

    @Test func everyKeyOfTheConfigurationHasARow() throws {
        let pages = ConfigurationReference.pages.filter { $0.name != Self.boardFile }
        // The hours of alarms are those of speed dials.
        let keys = Self.keys(of: ConfigurationSchema.form, in: "").filter { !$0.hasPrefix("alarms.hours.") }
        Self.compare(keys, pages)
    }

    @Test func everyKeyOfABoardFileHasARow() throws {
        let pages = ConfigurationReference.pages.filter { $0.name == Self.boardFile }
        Self.compare(try Self.keys(in: "Sources/Panel/Board", Self.parts), pages)
    }

    /// The paths of the types that read a board file.
    private static let parts: [String: [String]] = [
        "Board": [""], "PanelLayout": ["panel"], "Hook": ["panel.hook"], "Button": ["panel.buttons"],
        "Input": ["panel.inputs"], "KeypadSpec": ["panel.keypad"], "MatrixTiming": ["panel.keypad"],
        "LineSpec": ["LINE"], "OutputSpec": ["LINE"], "LampSpec": ["panel.lamps"], "BellSpec": ["panel.ringer"],
        "DialSpec": ["panel.dial"], "DialTiming": ["panel.dial"], "EncoderSpec": ["panel.encoder"],
        "DisplaySpec": ["panel.display"],
    ]

    private static func compare(_ asked: Set<String>, _ pages: [ConfigurationPage]) {
        let rows = Set(pages.flatMap(\.tables).flatMap(\.rows).map { plain($0.key) })
        #expect(!asked.isEmpty && !rows.isEmpty)
        for key in asked.subtracting(rows) {
            #expect(rows.contains { $0.hasPrefix(key + ".") }, "\(key) has no row in Tests/ConfigurationReference")
        }
        for row in rows.subtracting(asked) {
            #expect(asked.contains { $0.hasPrefix(row + ".") }, "nothing reads \(row)")
        }
    }

    /// A row's path without the names that stand for any name.
    private static func plain(_ key: String) -> String {
        key.replacing("[]", with: "").split(separator: ".").filter { !["N", "NAME", "ROUTE"].contains($0) }
            .joined(separator: ".")
    }

    /// The paths of all keys that the types in a folder ask for.
    private static func keys(in folder: String, _ places: [String: [String]]) throws -> Set<String> {
        let path = Workplace.root + "/" + folder
        var keys: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
            for (type, key) in asked(in: try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)) {
                let places = try #require(places[type], "\(file): where are the keys of \(type)?")
                keys.formUnion(places.map { $0.isEmpty ? key : "\($0).\(key)" })
            }
        }
        return keys
    }

    /// The paths of all keys of a form, without the names of a table's entries.
    private static func keys(of form: YAMLForm, in path: String) -> Set<String> {
        switch form.kind {
        case .text, .bool, .integer, .duration, .choice: []
        case .list(let element, _): keys(of: element, in: path)
        case .table(_, let element, _): keys(of: element, in: path)
        case .oneOf(let forms): forms.reduce(into: []) { $0.formUnion(keys(of: $1, in: path)) }
        case .section(let all):
            all().reduce(into: []) { found, key in
                // The routes share their rows.
                let isRoute = path == "sound" && PhoneCore.Route(rawValue: key.path) != nil
                let inner = isRoute ? path : path.isEmpty ? key.path : "\(path).\(key.path)"
                if !isRoute { found.insert(inner) }
                found.formUnion(keys(of: key.form, in: inner))
            }
        }
    }

    /// The keys that a source text asks for, each with the type that asks.
    private static func asked(in text: String) -> [(type: String, key: String)] {
        var types: [(indent: Int, name: String)] = []
        var asked: [(String, String)] = []
        var former = ""
        for line in text.components(separatedBy: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let bare = line.dropFirst(indent)
            if line.hasSuffix("{"), let match = line.firstMatch(of: /\b(?:struct|enum|extension) (\w+)/) {
                types.append((indent, String(match.1)))
            } else if bare == "}", types.last?.indent == indent {
                types.removeLast()
            }
            let call = former.hasSuffix("(") ? former + bare : line
            for match in call.matches(of: /\.(?:required|optional|numbered)\("(\w+)"/) {
                asked.append((types.last?.name ?? "", String(match.1)))
            }
            former = line
        }
        return asked
    }

    /// The YAML of a page, without the indentation that it has in a list.
    static func examples(in page: String) -> [String] {
        var examples: [[Substring]] = []
        var indent: Int?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = line.drop { $0 == " " }
            if let start = indent {
                if bare.hasPrefix("```") {
                    indent = nil
                } else {
                    examples[examples.count - 1].append(line.dropFirst(start))
                }
            } else if bare == "```yaml" {
                indent = line.count - bare.count
                examples.append([])
            }
        }
        return examples.map { $0.joined(separator: "\n") + "\n" }
    }

    /// The example with the keys that every configuration needs.
    static func completed(_ example: String) -> String {
        let board = example.contains(/(?m)^board:/) ? "" : "board: board.yaml\n"
        let device = "{capture: default, playback: default}"
        let sound = example.contains(/(?m)^sound:/) ? "" : "sound:\n  handset: \(device)\n  speaker: \(device)\n"
        return board + sound + example
    }
}
