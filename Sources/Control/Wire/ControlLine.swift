import PhoneCore

/// What a line on the socket asks of the phone, read without a server.
package enum ControlLine {
    /// - Returns: The request; nil for a method that the program answers, or that does not exist.
    package static func request(
        _ line: [UInt8], accounts: [AccountID: String] = [:]
    ) -> Result<Request?, RPCError> {
        do throws(RPCCall.Invalid) {
            let call = try RPCCall(line: line)
            do throws(RPCError) {
                return .success(try Request(method: call.method, call.params, labels: accounts))
            } catch {
                return .failure(error)
            }
        } catch {
            return .failure(error.error)
        }
    }
}
