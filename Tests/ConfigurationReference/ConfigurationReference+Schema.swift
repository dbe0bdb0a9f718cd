import JSON

extension ConfigurationReference {
    /// The program's schema of the configuration, with the meanings of this reference as descriptions.
    public static func described(_ schema: JSONValue) -> JSONValue {
        let rows = pages.filter { $0.name != ConfigurationPage.boardFile.name }.flatMap(\.tables).flatMap(\.rows)
        return rows.reduce(schema) { schema, row in
            var steps: [Step] = []
            for name in row.key.split(separator: ".") {
                let isList = name.hasSuffix("[]")
                let bare = isList ? String(name.dropLast(2)) : String(name)
                steps.append(["N", "NAME", "ROUTE"].contains(bare) ? .anyName : .name(bare))
                if isList { steps.append(.element) }
            }
            return describing(schema, at: steps[...], as: plain(row.meaning))
        }
    }

    private enum Step: Equatable {
        case name(String)
        case anyName
        case element
    }

    /// The text without links and code marks.
    private static func plain(_ meaning: String) -> String {
        meaning.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "")
    }

    private static func describing(_ schema: JSONValue, at steps: ArraySlice<Step>, as text: String) -> JSONValue {
        guard var members = schema.object else { return schema }
        guard let step = steps.first else {
            members["description"] = .string(text)
            return .object(members)
        }
        func descend(_ member: String) {
            if let inner = members[member] { members[member] = describing(inner, at: steps.dropFirst(), as: text) }
        }
        switch step {
        case .element: descend("items")
        case .anyName:
            descend("additionalProperties")
            // The routes have a key each.
            if var properties = members["properties"]?.object {
                for route in ["handset", "speaker", "headset", "bluetooth"] {
                    properties[route] = properties[route].map { describing($0, at: steps.dropFirst(), as: text) }
                }
                members["properties"] = .object(properties)
            }
        case .name(let name):
            if var properties = members["properties"]?.object, let inner = properties[name] {
                properties[name] = describing(inner, at: steps.dropFirst(), as: text)
                members["properties"] = .object(properties)
            }
        }
        if let alternatives = members["anyOf"]?.array {
            members["anyOf"] = .array(alternatives.map { describing($0, at: steps, as: text) })
        }
        return .object(members)
    }
}

extension JSONValue {
    /// The text on several lines, with an indentation of two.
    public var indented: String { indented(by: "") }

    private func indented(by margin: String) -> String {
        let inner = margin + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map {
                inner + JSONValue.string($0.key).text + ": " + $0.value.indented(by: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + margin + "}"
        case .array(let elements) where elements.contains { $0.object != nil }:
            return "[\n" + elements.map { inner + $0.indented(by: inner) }.joined(separator: ",\n") + "\n" + margin
                + "]"
        case .object, .array, .string, .integer, .unsigned, .number, .bool, .null: return text
        }
    }
}
