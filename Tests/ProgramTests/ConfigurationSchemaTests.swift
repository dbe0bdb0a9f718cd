import Bench
import ConfigurationReference
import Foundation
import JSON
import Rig
import Testing
import YAML
import offhook

/// The JSON Schema of the configuration.
@Suite struct ConfigurationSchemaTests {
    @Test("swift run -c release offhook-reference writes docs/config.schema.json, after offhook was built")
    func schemaFileIsUpToDate() throws {
        let text = ConfigurationReference.described(ConfigurationSchema.document).indented + "\n"
        #expect(try TextFile.read(Workplace.root + "/docs/config.schema.json") == text)
    }

    @Test func everyKeyHasTheMeaningOfItsRow() throws {
        let schema = ConfigurationReference.described(ConfigurationSchema.document)
        func description(_ path: String...) -> String? {
            path.reduce(schema) { $0?[$1] }?["description"]?.string
        }
        #expect(description("properties", "sip", "properties", "port")?.hasPrefix("The first line's port.") == true)
        let device = description("properties", "sound", "properties", "speaker", "properties", "capture")
        #expect(device?.isEmpty == false)
        let dials = schema["properties"]?["calls"]?["properties"]?["speed_dials"]?["additionalProperties"]
        let section = dials?["anyOf"]?.array?.first { $0["properties"] != nil }
        #expect(section?["properties"]?["account"]?["description"]?.string == "Label of the account for the call.")
    }

    @Test(.enabled(if: Validator.isThere, "Scripts/setup test installs python3-jsonschema"))
    func schemaAcceptsWhatThePhoneAccepts() throws {
        var examples: [String] = [MutatedConfigurationTests.whole]
        for page in ConfigurationReference.pages where page.name != "board-file" {
            examples += ConfigurationReferenceTests.examples(in: page.text).map(ConfigurationReferenceTests.completed)
        }
        for name in ConfigurationReferenceTests.recipes {
            let page = try TextFile.read(Workplace.root + "/docs/user/\(name).md")
            examples += ConfigurationReferenceTests.examples(in: page).map(ConfigurationReferenceTests.completed)
        }
        examples += [
            ConfigurationReferenceTests.completed(try TextFile.read(Workplace.root + "/docs/examples/kiosk.yaml")),
            try TextFile.read(Workplace.root + "/Scripts/package.d/debian/offhook.yaml"),
        ]
        let verdicts = try Validator().verdicts(examples)
        #expect(verdicts.count == examples.count && examples.count > 20)
        for (example, verdict) in zip(examples, verdicts) { #expect(verdict.isEmpty, "\(verdict): \(example)") }
    }

    @Test(.enabled(if: Validator.isThere, "Scripts/setup test installs python3-jsonschema"))
    func schemaRejectsWhatAnEditorShouldMark() throws {
        let wrong = [
            "sip: { prot: 5060 }", "sip: { port: telephone }", "sip: { port: 70000 }", "sip: { gruu: yes }",
            "sip: [5060]", "log: loud", "calls: { maximum: 0 }", "calls: { maximum: \"2\" }",
            "calls: { ring_timeout: 30 }", "calls: { ring_timeout: 30 sec }", "calls: { dial_plan: everything }",
            "calls: { speed_dials: { 17: 200 } }", "calls: { speed_dials: { 1: [] } }",
            "calls: { speed_dials: { 1: hello } }", "calls: { speed_dials: { 1: { target: 200 } } }",
            "calls: { auto_answer: { route: speaker } }", "calls: { rings: { door: [1 s] } }",
            "calls: { short_numbers: [police] }", "media: { codecs: [opus, g729] }", "media: { codecs: [] }",
            "relays: { 9: {} }", "relays: { 1: { code: \"4711\" } }", "paging: {}",
            "paging: { groups: [{ address: 239.255.1.1 }] }", "alarms: { Tamper!: 200 }",
            "on_event: [{ events: [callStopped], run: [/bin/true] }]", "on_event: [{ events: [callEnded] }]",
            "network: { watch: 1 }", "panel: { flash: sometimes }", "panel: { flash: { shortest: 100 } }",
            "control: { http: { prt: 8088 } }",
        ].map { ConfigurationReferenceTests.completed($0 + "\n") }
        for text in wrong {
            #expect(throws: YAMLError.self, "\(text)") { try Settings(text, path: "/phone/offhook.yaml") }
        }
        let verdicts = try Validator().verdicts(wrong)
        #expect(verdicts.count == wrong.count)
        for (text, verdict) in zip(wrong, verdicts) { #expect(!verdict.isEmpty, "\(text)") }
    }
}

/// A foreign program that checks documents against the schema.
private struct Validator {
    static let isThere =
        (try? Command(program: ["python3", "-c", "import jsonschema"], in: Workplace()).exit)
        == .status(0)

    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for document in json.load(open(sys.argv[2])):
            print("; ".join(error.message.replace("\\n", " ")[:200] for error in validator.iter_errors(document)))
        """

    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// - Returns: For each text the validator's complaints; empty if it has none.
    func verdicts(_ texts: [String]) throws -> [Substring] {
        let documents = try texts.map { Self.json(try YAMLDocument(Array($0.utf8), file: "t.yaml").root) }
        let (schema, list) = (workplace.path + "/schema.json", workplace.path + "/documents.json")
        try TextFile.write(try TextFile.read(Workplace.root + "/docs/config.schema.json"), to: schema)
        try TextFile.write(JSONValue.array(documents).text, to: list)
        let run = try Command(program: ["python3", "-c", Self.script, schema, list], in: workplace)
        #expect(run.exit == .status(0), "\(run)")
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    /// The value as an editor reads it, by the core schema of YAML 1.2.
    private static func json(_ node: YAMLNode) -> JSONValue {
        switch node.content {
        case .sequence(let nodes): .array(nodes.map(json))
        case .mapping(let entries): .object(Dictionary(uniqueKeysWithValues: entries.map { ($0.key, json($0.value)) }))
        case .scalar(let text, plain: false): .string(text)
        case .scalar("", _), .scalar("~", _), .scalar("null", _): .null
        case .scalar(let text, plain: true):
            if text == "true" || text == "false" {
                .bool(text == "true")
            } else if text.wholeMatch(of: /[-+]?[0-9]+/) != nil, let number = Int64(text) {
                .integer(number)
            } else {
                .string(text)
            }
        }
    }
}
