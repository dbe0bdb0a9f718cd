import JSON
import YAML

/// The configuration as a JSON Schema, made from the types that read it.
///
/// It accepts everything that the phone accepts. It also accepts texts whose parts are valid alone but not together, and
/// durations out of their range.
///
/// - SeeAlso: https://json-schema.org/draft/2020-12/schema
package enum ConfigurationSchema {
    private static let duration = "^[0-9]{1,9} *(d|h|min|s|ms|us)$"

    /// The form of the whole configuration.
    package static var form: YAMLForm { YAMLShape.section(Configuration.self).form }

    package static var document: JSONValue {
        var members = schema(form)
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = "Configuration of Offhook"
        return .object(members)
    }

    private static func schema(_ form: YAMLForm) -> [String: JSONValue] {
        switch form.kind {
        case .text(let lengths, let pattern):
            // A number without quotes is text, too, for example 200 as a callee.
            var members: [String: JSONValue] = ["type": ["string", "number"]]
            members["minLength"] = lengths.map { .integer(Int64($0.lowerBound)) }
            members["maxLength"] = lengths.map { .integer(Int64($0.upperBound)) }
            members["pattern"] = pattern.map { .string($0) }
            return members
        case .bool: return ["type": "boolean"]
        case .integer(let lower, let upper):
            var members: [String: JSONValue] = ["type": "integer"]
            members["minimum"] = Int64(lower).map { .integer($0) }
            members["maximum"] = Int64(upper).map { .integer($0) }
            return members
        case .duration: return ["type": "string", "pattern": .string(duration)]
        case .choice(let words): return ["enum": .array(words.map { .string($0) })]
        case .section(let keys): return schema(keys())
        case .list(let element, let count):
            return [
                "type": "array", "items": described(element), "minItems": .integer(Int64(count.lowerBound)),
                "maxItems": .integer(Int64(count.upperBound)),
            ]
        case .table(let key, let element, let count):
            var members: [String: JSONValue] = [
                "type": "object", "additionalProperties": described(element),
                "minProperties": .integer(Int64(count.lowerBound)), "maxProperties": .integer(Int64(count.upperBound)),
            ]
            members["propertyNames"] = names(key).map { .object($0) }
            return members
        case .oneOf(let forms): return ["anyOf": .array(alternatives(forms))]
        }
    }

    /// The alternatives, each once. An alternative may have alternatives itself.
    private static func alternatives(_ forms: [YAMLForm]) -> [JSONValue] {
        forms.flatMap { form in
            if case .oneOf(let inner) = form.kind { alternatives(inner) } else { [described(form)] }
        }.reduce(into: []) { all, one in
            if !all.contains(one) { all.append(one) }
        }
    }

    /// The names of a table's entries are text, even if the phone reads them as numbers.
    private static func names(_ form: YAMLForm) -> [String: JSONValue]? {
        guard case .integer(let lower, let upper) = form.kind else {
            var members = schema(form)
            members["type"] = nil
            return members.isEmpty ? nil : members
        }
        guard let lower = Int64(lower), let upper = Int64(upper), lower <= upper, upper - lower < 100 else {
            return nil
        }
        return ["enum": .array((lower...upper).map { .string("\($0)") })]
    }

    private static func schema(_ keys: [YAMLKey]) -> [String: JSONValue] {
        var properties: [String: JSONValue] = [:]
        for key in keys {
            guard case .key(let name) = key.steps.last, case .object(var members) = described(key.form) else {
                continue
            }
            if let usual = key.usual, !key.varies, let value = try? YAMLDocument(Array(usual.utf8), file: "").root {
                members["default"] = json(value, key.form)
            }
            properties[name] = .object(members)
        }
        var members: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = keys.filter(\.isRequired).compactMap { key -> JSONValue? in
            if case .key(let name) = key.steps.last { .string(name) } else { nil }
        }
        if !required.isEmpty { members["required"] = .array(required) }
        return members
    }

    /// The schema with a description for the person who edits the file.
    private static func described(_ form: YAMLForm) -> JSONValue {
        var members = schema(form)
        switch form.kind {
        case .section: break
        case .text, .bool, .integer, .duration, .choice, .list, .table, .oneOf:
            members["description"] = .string(form.expectation)
        }
        return .object(members)
    }

    private static func json(_ node: YAMLNode, _ form: YAMLForm) -> JSONValue {
        switch (node.content, form.kind) {
        case (.scalar(let text, _), .integer): Int64(text).map { .integer($0) } ?? .string(text)
        case (.scalar(let text, _), .bool): .bool(text == "true")
        case (.scalar(let text, _), _): .string(text)
        case (.sequence(let nodes), .list(let element, _)): .array(nodes.map { json($0, element) })
        case (.sequence(let nodes), _): .array(nodes.map { json($0, form) })
        case (.mapping(let entries), _):
            .object(Dictionary(entries.map { ($0.key, json($0.value, form)) }) { first, _ in first })
        }
    }
}
