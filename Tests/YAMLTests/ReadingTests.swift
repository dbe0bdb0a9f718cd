import Testing
import YAML

@Suite("YAML: tree to types")
struct ReadingTests {
    enum Colour: String, CaseIterable, Sendable { case red, green, blue }

    struct Hook: YAMLReadable, Equatable {
        let debounce: Duration
        let inverted: Bool

        init(from section: inout YAMLSection) throws(YAMLError) {
            debounce = try section.optional("debounce", .duration(in: .zero ... .seconds(1))) ?? .milliseconds(30)
            inverted = try section.optional("inverted", .bool()) ?? false
        }
    }

    struct Everything: YAMLReadable {
        let name: String
        let port: UInt16?
        let colour: Colour?
        let hooks: [Hook]
        let ages: [(key: String, value: Int)]

        init(from section: inout YAMLSection) throws(YAMLError) {
            name = try section.required("name", .text("a name", length: 1...8))
            port = try section.optional("port", .integer(in: 1...65_535))
            colour = try section.optional("colour", .choice())
            hooks = try section.optional("hooks", .list(of: .section(Hook.self), count: 1...2)) ?? []
            ages = try section.optional("ages", .table(of: .text(), to: .integer(in: -1...120), count: 0...3)) ?? []
            if name == "nobody", port != nil { throw section.error("port", "nobody has no port") }
        }
    }

    private func read(_ text: String) throws(YAMLError) -> Everything {
        try YAMLDocument(Array(text.utf8), file: "t.yaml").read()
    }

    @Test("every shape is read")
    func everyShapeIsRead() throws {
        let text =
            "name: Ada\nport: 5060\ncolour: blue\nhooks: [{debounce: 4 s}, {inverted: true}]\nages: {b: 3, a: -1}\n"
        #expect(throws: YAMLError.self) { try read(text) }  // 4 s is beyond its range.
        let everything = try read(text.replacing("4 s", with: "250ms"))
        #expect(everything.name == "Ada")
        #expect(everything.port == 5060)
        #expect(everything.colour == .blue)
        #expect(everything.hooks.map(\.debounce) == [.milliseconds(250), .milliseconds(30)])
        #expect(everything.hooks.map(\.inverted) == [false, true])
        #expect(everything.ages.map(\.key) == ["b", "a"])
        #expect(everything.ages.map(\.value) == [3, -1])
    }

    @Test(
        "each error names file, line, key path and expectation",
        arguments: [
            ("port: 1", "1:1: missing key \"name\": expected a name of 1 to 8 characters"),
            (
                "nane: x",
                "1:1: missing key \"name\": expected a name of 1 to 8 characters (did you misspell it as \"nane\"?)"
            ),
            ("name: x\nport: fast", "2:7: port: expected a whole number from 1 to 65535, found \"fast\""),
            ("name: x\nport: 65536", "2:7: port: expected a whole number from 1 to 65535, found \"65536\""),
            ("name: x\nport: 010", "2:7: port: expected a whole number from 1 to 65535, found \"010\""),
            (
                "name: x\nport: '5060'",
                "2:7: port: expected a whole number from 1 to 65535, found \"5060\" (write it without quotes)"
            ),
            ("name: x\nport:", "2:6: port: expected a whole number from 1 to 65535, found nothing"),
            ("name: ~", "1:7: name: expected a name of 1 to 8 characters, found nothing"),
            ("name: [x]", "1:7: name: expected a name of 1 to 8 characters, found a list"),
            ("name: x\ncolour: pink", "2:9: colour: expected red, green or blue, found \"pink\""),
            ("name: x\nhooks: {}", "2:8: hooks: expected a list of 1 to 2, each a section, found a mapping"),
            ("name: x\nhooks: [{}, {}, {}]", "2:8: hooks: expected a list of 1 to 2, each a section, found 3"),
            (
                "name: x\nhooks:\n- {}\n- debounce: fast",
                "4:13: hooks[2].debounce: expected a duration from 0 ms to 1 s, found \"fast\""
            ),
            ("name: x\nhooks:\n- debonce: 3 ms", "3:3: hooks[1]: unknown key \"debonce\" (did you mean \"debounce\"?)"),
            (
                "name: x\nhooks:\n- inverted: yes",
                "3:13: hooks[1].inverted: expected true or false, found \"yes\" (did you mean true?)"
            ),
            ("name: x\nages: {a: 121}", "2:11: ages.a: expected a whole number from -1 to 120, found \"121\""),
            ("name: x\ncolor: red", "2:1: unknown key \"color\" (did you mean \"colour\"?)"),
            ("name: x\nsomething: red", "2:1: unknown key \"something\""),
            ("name: nobody\nport: 7", "2:7: port: nobody has no port"),
            ("name: x\ncolour: \"\\e[31m\\n\"", "2:9: colour: expected red, green or blue, found \"?[31m?\""),
            ("[]", "1:1: expected a section, found a list"),
        ])
    func eachErrorNamesFileLineKeyPathAndExpectation(_ text: String, _ expected: String) {
        #expect(message { () throws(YAMLError) in _ = try read(text) } == "t.yaml:" + expected)
    }

    struct Delay: YAMLReadable {
        let value: Duration
        init(from section: inout YAMLSection) throws(YAMLError) {
            value = try section.required("d", .duration(in: .zero ... .seconds(86_400 * 30)))
        }
    }

    @Test(
        "durations are read",
        arguments: [
            ("0 ms", Duration.zero), ("50us", .microseconds(50)), ("30 ms", .milliseconds(30)), ("4  s", .seconds(4)),
            ("2 min", .seconds(120)), ("1 h", .seconds(3600)), ("30 d", .seconds(86_400 * 30)),
        ])
    func durationsAreRead(_ text: String, _ expected: Duration) throws {
        #expect(try YAMLDocument(Array("d: \(text)".utf8), file: "t").read(Delay.self).value == expected)
    }

    @Test(
        "other text is no duration",
        arguments: ["", "ms", "30", "-1 s", "1.5 s", "1 week", "31 d", "9999999999 us", "1 s 2"])
    func otherTextIsNoDuration(_ text: String) {
        #expect(throws: YAMLError.self) { try YAMLDocument(Array("d: \(text)".utf8), file: "t").read(Delay.self) }
    }

    @Test("a long quoted text is cut in errors")
    func longQuotedTextIsCutInErrors() {
        let text = "name: x\ncolour: " + String(repeating: "y", count: 500)
        let cut = String(repeating: "y", count: 40) + "…"
        #expect(
            message { () throws(YAMLError) in _ = try read(text) }
                == "t.yaml:2:9: colour: expected red, green or blue, found \"\(cut)\"")
    }
}
