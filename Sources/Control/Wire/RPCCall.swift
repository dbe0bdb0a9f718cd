import JSON

/// One JSON-RPC 2.0 request as it arrived.
struct RPCCall: Equatable, Sendable {
    /// The identifier with which the client recognises the answer.
    enum Identifier: Equatable, Sendable {
        /// A notification (JSON-RPC 2.0 §4.1): it is carried out, but never answered.
        case none
        case value(JSONValue)
    }

    struct Invalid: Error, Equatable, Sendable {
        /// The identifier of the request, or null if it cannot be read (JSON-RPC 2.0 §5). With `none` the message is a
        /// notification with wrong parameters, which gets no answer either (§4.1).
        let identifier: Identifier
        let error: RPCError

        /// An invalid message is no request, so it is no notification either.
        static func request(_ why: String, _ identifier: JSONValue = .null) -> Invalid {
            Invalid(identifier: .value(identifier), error: .invalidRequest(why))
        }
    }

    /// The longest text that is accepted as an identifier. It is stored, and sent back with the answer.
    static let maximumIdentifierLength = 128

    let identifier: Identifier
    let method: String
    let params: RPCParams

    init(_ message: JSONValue) throws(Invalid) {
        guard case .object(let members) = message else { throw .request("a request is an object") }
        try self.init(members: members)
    }

    private init(members: [String: JSONValue]) throws(Invalid) {
        identifier = try Self.identifier(members["id"])
        let echoed = if case .value(let value) = identifier { value } else { JSONValue.null }
        guard members["jsonrpc"] == "2.0" else { throw .request("\"jsonrpc\" must be \"2.0\"", echoed) }
        guard let method = members["method"]?.string else { throw .request("\"method\" must be a text", echoed) }
        self.method = method
        switch members["params"] {
        case nil: params = RPCParams([:])
        case .object(let named): params = RPCParams(named)
        // Parameters by position are valid (JSON-RPC 2.0 §4.2), but no method here accepts them.
        case .array: throw Invalid(identifier: identifier, error: .invalidParams("\"params\" must be an object"))
        case .null, .bool, .integer, .number, .string: throw .request("\"params\" must be an object", echoed)
        }
    }

    private static func identifier(_ value: JSONValue?) throws(Invalid) -> Identifier {
        switch value {
        case nil: return .none
        case .string(let text) where text.utf8.count <= maximumIdentifierLength: return .value(.string(text))
        case .integer(let number): return .value(.integer(number))
        case .null: return .value(.null)
        case .string, .bool, .number, .array, .object:
            let why = "\"id\" must be a whole number or a text of at most \(maximumIdentifierLength) bytes"
            throw .request(why)
        }
    }
}
