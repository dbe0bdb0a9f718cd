import JSON
import PhoneCore

/// The contents of one line: one request, or a batch (JSON-RPC 2.0 §6).
enum RPCMessage {
    /// The largest number of requests in a batch.
    static let longestBatch = 16

    case call(RPCCall)
    /// A batch has at least one request. Each invalid request gets its own error.
    case batch([Result<RPCCall, RPCCall.Invalid>])

    init(line: [UInt8]) throws(RPCCall.Invalid) {
        let message: JSONValue
        do {
            message = try JSONValue(parsing: line)
        } catch {
            throw RPCCall.Invalid(identifier: .value(.null), error: .parse(error))
        }
        guard case .array(let requests) = message else {
            self = .call(try RPCCall(message))
            return
        }
        guard (1...Self.longestBatch).contains(requests.count) else {
            let why = "a batch may have 1 to \(Self.longestBatch) requests"
            throw .request(why)
        }
        self = .batch(
            requests.map { request in
                Result { () throws(RPCCall.Invalid) in try RPCCall(request) }
            })
    }
}

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
        case .null, .bool, .integer, .unsigned, .number, .string: throw .request("\"params\" must be an object", echoed)
        }
    }

    private static func identifier(_ value: JSONValue?) throws(Invalid) -> Identifier {
        switch value {
        case nil: return .none
        case .string(let text) where text.utf8.count <= maximumIdentifierLength: return .value(.string(text))
        case .integer(let number): return .value(.integer(number))
        case .null: return .value(.null)
        case .string, .bool, .unsigned, .number, .array, .object:
            let why = "\"id\" must be a whole number or a text of at most \(maximumIdentifierLength) bytes"
            throw .request(why)
        }
    }
}

/// Splits a stream of bytes into lines that end with a newline. Never holds more than one longest line.
struct LineSplitter: Sendable {
    struct Output: Equatable, Sendable {
        /// Complete lines without their ends. Empty lines are skipped.
        var lines: [[UInt8]] = []
        /// A line is longer than the limit. Nothing after it can be understood, so the stream must be closed.
        var isOverlong = false
    }

    let limit: Int
    private var partial: [UInt8] = []

    /// - Parameter limit: The longest line in bytes, without its end.
    init(limit: Int) {
        precondition(limit > 0, "a line holds at least one byte")
        self.limit = limit
    }

    mutating func push(_ bytes: some Sequence<UInt8>) -> Output {
        var output = Output()
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !partial.isEmpty { output.lines.append(partial) }
                partial.removeAll(keepingCapacity: true)
            } else if partial.count < limit {
                partial.append(byte)
            } else {
                output.isOverlong = true
                return output
            }
        }
        return output
    }
}

/// Parses a line of the socket without a server.
package enum ControlLine {
    /// - Returns: For each request of the line, the phone's part; nil for a method that the program answers.
    package static func requests(
        _ line: [UInt8], accounts: [AccountID: String] = [:]
    ) -> [Result<Request?, RPCError>] {
        do throws(RPCCall.Invalid) {
            switch try RPCMessage(line: line) {
            case .call(let call): return [request(.success(call), accounts)]
            case .batch(let calls): return calls.map { request($0, accounts) }
            }
        } catch {
            return [.failure(error.error)]
        }
    }

    private static func request(
        _ call: Result<RPCCall, RPCCall.Invalid>, _ accounts: [AccountID: String]
    ) -> Result<Request?, RPCError> {
        switch call {
        case .failure(let invalid): return .failure(invalid.error)
        case .success(let call):
            return Result { () throws(RPCError) in
                guard let method = MethodName(rawValue: call.method) else { throw .methodNotFound(call.method) }
                let reference = method.reference
                var params = call.params
                try params.allow(reference.parameters)
                params.labels = accounts
                guard case .phone(let request) = reference.handler else { return nil }
                return try request(params)
            }
        }
    }
}
