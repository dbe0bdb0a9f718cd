import JSON

extension Command {
    /// The table below this command as JSON, from which the reference pages are written.
    package var json: JSONValue {
        [
            "name": .string(name), "purpose": .string(purpose), "discussion": .string(discussion),
            "example": .string(example), "commands": .array(commands.map(\.json)),
            "parameters": .array(parameters.map(\.json)),
        ]
    }
}

extension Parameter {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "value": .string(valueName), "help": .string(help),
            "spellings": .array(spellings.map { .string($0) }), "choices": .array(choices.map { .string($0) }),
            "usual": usual.map { .string($0) } ?? .null, "isRequired": .bool(isRequired),
            "isRepeated": .bool(isRepeated),
        ]
    }
}
