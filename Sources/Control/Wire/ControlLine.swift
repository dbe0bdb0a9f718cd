import PhoneCore

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
                try call.params.allow(method.reference.parameters)
                return try Request(method: method, call.params, labels: accounts)
            }
        }
    }
}
