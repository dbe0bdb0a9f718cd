import JSON

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
