import JSON
import PhoneCore

/// One method: its meaning, parameters, result, scope and errors, for people and for generators of clients; and the one
/// that answers it.
public struct MethodReference: Sendable {
    typealias Reading<Value> = @Sendable (RPCParams) throws(RPCError) -> Value

    /// The part of the program that answers the method, with the reading of its parameters.
    enum Handler: Sendable {
        case phone(Reading<Request>)
        /// The phone answers with a snapshot, of which this is wanted.
        case snapshot(Reading<SnapshotQuestion>)
        case vault(Reading<VaultQuestion>)
        case setup(Reading<SetupRequest>)
        /// The interface itself, or the program's `ControlHost`.
        case program
    }

    /// One sentence or more, as Markdown.
    public let does: String
    public let parameters: [MethodParameter]
    /// The members of the result, as Markdown; nil if the result is the empty object.
    public let result: String?
    let scope: AccessScope
    /// Besides those of any request.
    let errors: [ErrorWord]
    let handler: Handler
}

extension MethodReference {
    private static let waiting: [ErrorWord] = [.cancelled, .tooManyRequests]

    private static let ofThePhone: [ErrorWord] =
        waiting + [
            .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .soundInUse, .notSupported, .timedOut, .callEnded, .organizationSwitchFailed, .signInFailed, .notSignedIn,
            .backendFailed, .fileFailed, .shuttingDown,
        ]

    /// A request that the phone settles.
    static func phone(
        _ does: String, _ parameters: [MethodParameter] = [], result: String? = nil, scope: AccessScope = .call,
        reads request: @escaping Reading<Request>
    ) -> MethodReference {
        MethodReference(
            does: does, parameters: parameters, result: result, scope: scope, errors: ofThePhone,
            handler: .phone(request))
    }

    static func phone(
        _ does: String, result: String? = nil, scope: AccessScope = .call, request: Request
    ) -> MethodReference { phone(does, result: result, scope: scope) { _ in request } }

    static func phone(_ does: String, call request: @escaping @Sendable (CallID?) -> Request) -> MethodReference {
        phone(does, [.call]) { params throws(RPCError) in request(try params.call()) }
    }

    static func phone(_ does: String, on request: @escaping @Sendable (Bool) -> Request) -> MethodReference {
        phone(does, [.on]) { params throws(RPCError) in request(try params.flag("on")) }
    }

    /// A query of the phone's state.
    static func snapshot(
        _ does: String, _ parameters: [MethodParameter] = [], result: String,
        reads question: @escaping Reading<SnapshotQuestion>
    ) -> MethodReference {
        MethodReference(
            does: does, parameters: parameters, result: result, scope: .observe, errors: ofThePhone,
            handler: .snapshot(question))
    }

    static func snapshot(_ does: String, result: String, question: SnapshotQuestion) -> MethodReference {
        snapshot(does, result: result) { _ in question }
    }

    static func vault(
        _ does: String, _ parameters: [MethodParameter] = [], result: String? = nil, scope: AccessScope = .configure,
        errors: [ErrorWord] = [], reads question: @escaping Reading<VaultQuestion>
    ) -> MethodReference {
        MethodReference(
            does: does, parameters: parameters, result: result, scope: scope,
            errors: waiting + [.notSupported, .notKept] + errors, handler: .vault(question))
    }

    static func setup(
        _ does: String, _ parameters: [MethodParameter] = [], result: String? = nil, errors: [ErrorWord] = [],
        reads request: @escaping Reading<SetupRequest>
    ) -> MethodReference {
        MethodReference(
            does: does, parameters: parameters, result: result, scope: .configure,
            errors: waiting + [.notSupported, .noRoom] + errors, handler: .setup(request))
    }

    static func setup(
        _ does: String, result: String? = nil, errors: [ErrorWord] = [], request: SetupRequest
    ) -> MethodReference { setup(does, result: result, errors: errors) { _ in request } }

    static func program(
        _ does: String, _ parameters: [MethodParameter] = [], result: String? = nil, scope: AccessScope = .observe,
        errors: [ErrorWord] = []
    ) -> MethodReference {
        MethodReference(
            does: does, parameters: parameters, result: result, scope: scope, errors: errors, handler: .program)
    }
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
