import JSON
import PhoneCore

/// The description of this interface for programs (OpenRPC 1.3.2), from which clients can be generated.
public enum OpenRPC {
    /// - Parameter version: The program's version.
    public static func document(version: String) -> JSONValue {
        [
            "openrpc": "1.3.2",
            "info": ["title": "Offhook", "version": .string(version)],
            "methods": .array(MethodName.allCases.map(method)),
            "components": ["errors": .object(errors)],
            "x-events": .array(EventName.allCases.map(event)),
        ]
    }

    private static func method(_ name: MethodName) -> JSONValue {
        let reference = name.reference
        return [
            "name": .string(name.rawValue), "summary": .string(reference.does), "paramStructure": "by-name",
            "params": .array(reference.parameters.map(parameter)), "x-scope": .string(name.scope.rawValue),
            "errors": .array((MethodName.commonErrors + name.errors).map(reference(to:))),
            "result": [
                "name": "result", "schema": ["type": "object"], "description": .string(reference.result ?? "`{}`"),
            ],
        ]
    }

    private static func parameter(_ parameter: MethodParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "required": .bool(parameter.isRequired),
            "description": .string(parameter.does), "schema": parameter.kind.schema,
        ]
    }

    private static func reference(to word: ErrorWord) -> JSONValue {
        ["$ref": .string("#/components/errors/\(word.rawValue)")]
    }

    /// The errors by their words in `data.code`.
    private static var errors: [String: JSONValue] {
        Dictionary(
            uniqueKeysWithValues: ErrorWord.allCases.map { word in
                let error: JSONValue = [
                    "code": .integer(word.number.rawValue), "message": .string(word.explanation),
                    "data": ["code": .string(word.rawValue)],
                ]
                return (word.rawValue, error)
            })
    }

    /// OpenRPC has no events. It allows extensions in members that begin with `x-`.
    private static func event(_ name: EventName) -> JSONValue {
        let reference = name.reference
        return [
            "name": .string(name.rawValue), "summary": .string(reference.tells),
            "fields": .array(reference.fields.map { .string($0) }),
            "optionalFields": .array(reference.more.map { .string($0) }),
        ]
    }
}
