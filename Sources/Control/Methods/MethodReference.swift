import JSON
import PhoneCore

/// The parameters, effect and result of one method, for people and for generators of clients.
public struct MethodReference: Sendable {
    public let parameters: [MethodParameter]
    /// One sentence or more, as Markdown.
    public let does: String
    /// The members of the result, as Markdown; nil if the result is the empty object.
    public let result: String?

    init(_ parameters: [MethodParameter], _ does: String, result: String? = nil) {
        (self.parameters, self.does, self.result) = (parameters, does, result)
    }

    init(does: String, result: String? = nil) { self.init([], does, result: result) }
}

/// One named parameter of a method.
public struct MethodParameter: Sendable {
    public enum Kind: Sendable {
        /// A text of at most this many bytes.
        case text(limit: Int)
        case flag
        case integer(ClosedRange<Int64>)
        case word([String])
        /// A call by its identifier.
        case call
        /// An account by its label or its number.
        case account
        /// The identifier of a request.
        case identifier
        /// Additional headers of a call, by name.
        case headers

        /// One of an enumeration's raw values.
        static func words<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Kind {
            .word(Value.allCases.map(\.rawValue))
        }
    }

    public let name: String
    public let kind: Kind
    public let isRequired: Bool
    /// The meaning, as Markdown; empty if the name is enough.
    public let does: String

    static func required(_ name: String, _ kind: Kind, _ does: String) -> MethodParameter {
        MethodParameter(name: name, kind: kind, isRequired: true, does: does)
    }

    static func optional(_ name: String, _ kind: Kind, _ does: String) -> MethodParameter {
        MethodParameter(name: name, kind: kind, isRequired: false, does: does)
    }

    /// The call that the method applies to.
    static let call = optional("call", .call, "")
    static let on = required("on", .flag, "")
    static let account = optional("account", .account, "")
}

extension MethodParameter.Kind {
    /// The kind as text for `docs/control.md`.
    public var words: String {
        switch self {
        case .text(let limit): "text, at most \(limit) bytes"
        case .flag: "`true` or `false`"
        case .integer(let range):
            range.upperBound == .max
                ? "a number from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .call: "a call's identifier"
        case .account: "an account's label or number"
        case .identifier: "text or number"
        case .headers:
            "`{\"X-Name\":\"value\"}`, at most \(CallPresentation.headerLimit) "
                + "headers, values of at most \(CallHeader.valueBytes) bytes"
        }
    }

    /// The kind as JSON Schema, draft 7.
    public var schema: JSONValue {
        switch self {
        case .text(let limit): ["type": "string", "maxLength": .integer(Int64(limit))]
        case .flag: ["type": "boolean"]
        case .integer(let range):
            ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .word(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
        case .call: ["type": "string", "pattern": "^(out-[0-9]+|in-[0-9]+\\.[0-9]+|info-[0-9]+)$"]
        case .account: ["type": ["string", "integer"]]
        case .identifier: ["type": ["string", "integer", "null"]]
        case .headers:
            [
                "type": "object", "maxProperties": .integer(Int64(CallPresentation.headerLimit)),
                "propertyNames": ["pattern": "^[Xx]-", "maxLength": .integer(Int64(CallHeader.nameBytes))],
                "additionalProperties": ["type": "string", "maxLength": .integer(Int64(CallHeader.valueBytes))],
            ]
        }
    }
}

extension Key {
    /// The names of all keys in one line for people. Numbered keys appear as ranges.
    public static let listed: String = {
        let numbered = Set(DTMFSymbol.allCases.map { Key.digit($0) }).union(lineKeys.map { .line($0) })
            .union(speedDials.map { .speedDial($0) }).union(pages.map { .page($0) })
        let plain = names.filter { !numbered.contains($0.key) }.map(\.name)
        let ranges = [range("line", lineKeys), range("speed", speedDials), range("page", pages)]
        return (["0-9 * # A-D"] + plain + ranges).joined(separator: ", ")
    }()

    private static func range(_ name: String, _ numbers: ClosedRange<UInt8>) -> String {
        "\(name)-\(numbers.lowerBound) to \(name)-\(numbers.upperBound)"
    }
}
