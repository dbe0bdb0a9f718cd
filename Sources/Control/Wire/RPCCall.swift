/// One JSON-RPC 2.0 request as it arrived.
struct RPCCall: Equatable, Sendable {
    /// The identifier by which the program recognises the answer.
    enum Identifier: Equatable, Sendable {
        /// A notification (JSON-RPC 2.0 §4.1): it is carried out, but never answered.
        case none
        case value(JSONValue)
    }

    struct Invalid: Error, Equatable, Sendable {
        /// The identifier, if it could be read; null otherwise (JSON-RPC 2.0 §5).
        let identifier: JSONValue
        let error: RPCError
    }

    /// Longest text that is accepted as an identifier; it is sent back, and kept until then.
    static let maximumIdentifierLength = 128

    let identifier: Identifier
    let method: String
    let params: RPCParams

    init(_ message: JSONValue) throws(Invalid) {
        guard case .object(let members) = message else {
            throw Invalid(identifier: .null, error: .invalidRequest("a request is an object"))
        }
        try self.init(members: members)
    }

    private init(members: [String: JSONValue]) throws(Invalid) {
        identifier = try Self.identifier(members["id"])
        let echoed = if case .value(let value) = identifier { value } else { JSONValue.null }
        guard members["jsonrpc"] == "2.0" else {
            throw Invalid(identifier: echoed, error: .invalidRequest("\"jsonrpc\" must be \"2.0\""))
        }
        guard let method = members["method"]?.string else {
            throw Invalid(identifier: echoed, error: .invalidRequest("\"method\" must be a text"))
        }
        self.method = method
        switch members["params"] {
        case nil: params = RPCParams([:])
        case .object(let named): params = RPCParams(named)
        case .null, .bool, .integer, .number, .string, .array:
            throw Invalid(identifier: echoed, error: .invalidParams("\"params\" must be an object"))
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
            throw Invalid(identifier: .null, error: .invalidRequest(why))
        }
    }
}
