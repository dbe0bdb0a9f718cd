import Testing
import YAML

@Suite("YAML: every error of a text")
struct AllErrorsTests {
    struct Door: YAMLReadable {
        let code: String
        let wait: Duration
        let label: String?

        init(from section: inout YAMLSection) throws(YAMLError) {
            code = try section.required("code", .text("a code", length: 4...8).secret)
            wait = try section.optional("wait", .duration(in: .zero ... .seconds(9)), usual: .seconds(3))
            label = try section.optional("label", .choice(["front": "front", "back": "back"]))
        }
    }

    struct House: YAMLReadable {
        let doors: [Door]
        let rooms: [(key: String, value: Int)]
        let owner: Int
        let lamp: String?
        let bulb: String?

        init(from section: inout YAMLSection) throws(YAMLError) {
            doors = try section.optional("doors", .list(of: .section(), count: 1...3)) ?? []
            rooms =
                try section.optional("rooms", .table(of: .text(length: 1...4), to: .integer(in: 1...9), count: 0...9))
                ?? []
            owner = try section.required("owner", .integer(in: 1...9))
            lamp = try section.optional("lamp", .text())
            bulb = try section.optional("bulb", .text())
            if lamp == nil, bulb != nil { throw section.error("lamp", "a bulb needs a lamp") }
        }
    }

    private func errors(_ text: String) throws -> [String] {
        try YAMLDocument(tolerating: Array(text.utf8), file: "h").errors(reading: House.self).map(\.description)
    }

    /// Values that are valid alone and not together.
    struct Pair: YAMLReadable {
        init(from section: inout YAMLSection) throws(YAMLError) {
            let pets = try section.optional("pets", .list(of: .choice(["cat": 1, "dog": 2, "cow": 3]), count: 1...9))
            let low = try section.optional("low", .integer(in: 0...99), usual: 10)
            let high = try section.optional("high", .integer(in: 0...99), usual: 20)
            let run = try section.optional("run", .section(Program.self))
            if let pets, Set(pets).count < pets.count { throw section.error("pets", "twice") }
            if high <= low { throw section.error("high", "must be above low") }
            _ = run
        }
    }

    struct Program: YAMLReadable {
        init(from section: inout YAMLSection) throws(YAMLError) {
            let words = try section.required("words", .list(of: .text(length: 1...9), count: 1...3))
            guard words[0].hasPrefix("/") else { throw section.error("words", "\(words[0]) is relative") }
        }
    }

    @Test(arguments: [
        ("pets: [cat, cog]", ["1:13"]), ("low: 50\nhigh: 40", ["2:7"]), ("low: 50", ["1:1"]),
        ("run: { words: [sh] }", ["1:15"]), ("pets: [cog]\nhigh: 3\nrun: { words: [sh] }", ["1:8", "2:7", "3:15"]),
        ("run: { words: [] }\nhigh: 100", ["1:15", "2:7"]),
    ])
    func consequencesOfMendingAreNotReported(_ text: String, _ places: [String]) throws {
        let document = try YAMLDocument(tolerating: Array(text.utf8), file: "h")
        let found = document.errors(reading: Pair.self).map(\.description)
        #expect(found.map { $0.split(separator: ":")[1...2].joined(separator: ":") } == places, "\(found)")
    }

    @Test func validTextHasNone() throws {
        #expect(try errors("owner: 3\ndoors: [{code: abcd}]\n").isEmpty)
    }

    @Test func eachMistakeIsReportedOnceInTheOrderOfTheText() throws {
        let text = """
            ownr: 3
            doors:
            - { code: abc, wait: 5 }
            - { label: frnt, size: 2 }
            rooms: { kitchen: 3, hall: 12 }
            rooms: {}
            bulb: red
            """
        let found = try errors(text)
        #expect(
            found.map { $0.split(separator: " ")[0] } == [
                "h:1:1:", "h:3:11:", "h:3:22:", "h:4:3:", "h:4:12:", "h:4:18:", "h:5:10:", "h:5:28:", "h:6:1:",
            ], "\(found)")
        #expect(
            found[0].contains("missing key \"owner\"") && found[0].contains("misspell it as \"ownr\""), "\(found[0])")
    }

    @Test func secretIsNotQuoted() throws {
        let found = try errors("owner: 1\ndoors: [{code: \"999\"}]\n")
        #expect(found.count == 1 && !found[0].contains("999") && found[0].contains("another value"), "\(found)")
    }

    @Test func unusableTextHasItsOneError() throws {
        #expect(throws: YAMLError.self) { try errors("owner: [1\n") }
        #expect(try errors("[]") == ["h:1:1: expected a section, found a list"])
    }

    @Test func numberOfErrorsIsBounded() throws {
        let rooms = (0..<5_000).map { "k\($0): 0" }.joined(separator: ", ")
        #expect(try errors("owner: 1\nrooms: {\(rooms)}\n").count == 1)
        let wrong = (0..<5_000).map { "key\($0): 0\n" }.joined()
        #expect(try errors("owner: 1\n" + wrong).count == 100)
    }

    @Test func keysHaveTheirFormsDefaultsAndValues() throws {
        let document = try YAMLDocument(Array("owner: 3\ndoors: [{code: abcd}]\n".utf8), file: "h")
        let keys = try document.keys(of: House.self)
        #expect(
            keys.map(\.path) == [
                "doors", "doors[1]", "doors[1].code", "doors[1].wait", "doors[1].label", "rooms", "owner", "lamp",
                "bulb",
            ])
        #expect(keys[2].form.isSecret && keys[2].isRequired && keys[2].text == "abcd")
        #expect(keys[3].usual == "3 s" && keys[3].text == nil && !keys[1].isAsked)
    }

    /// A form knows its keys and an example without any text.
    @Test func formExplainsItself() throws {
        guard case .section(let keys) = YAMLShape.section(House.self).form.kind else { throw Failure() }
        #expect(keys().map(\.path) == ["doors", "rooms", "owner", "lamp", "bulb"])
        #expect(keys().filter(\.isRequired).map(\.path) == ["owner"])
    }

    private struct Failure: Error {}
}
