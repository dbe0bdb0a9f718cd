import JSON

/// A server's frame, parsed as JSON-RPC 2.0.
enum VertoServerMessage: Equatable, Sendable {
    case request(VertoRequestID?, method: String, params: JSONValue)
    case result(VertoRequestID, JSONValue)
    case failure(VertoRequestID, VertoServerError)

    /// Total: any text gives a message or the reason for its rejection.
    init(_ json: JSONValue) throws(VertoDrop) {
        guard json.object != nil else { throw .notAnObject }
        // Libraries of JSON-RPC 1.0 write members that do not apply as null.
        func member(_ name: String) -> JSONValue? {
            guard let value = json[name], value != .null else { return .none }
            return value
        }
        if let method = member("method") {
            guard let name = method.string, name.utf8.count <= VertoLimits.idBytes else { throw .wrongType }
            var id: VertoRequestID?
            if let json = json["id"], json != .null { id = try VertoRequestID(json) }
            self = .request(id, method: name, params: json["params"] ?? [:])
            return
        }
        guard json["result"] != nil || json["error"] != nil else { throw .noMessage }
        let id = try VertoRequestID(json["id"] ?? nil)
        if let error = member("error") {
            self = .failure(id, try VertoServerError(error))
        } else {
            self = .result(id, json["result"] ?? nil)
        }
    }

    /// Reads a frame. Cost: one pass over at most `VertoLimits.frameBytes`.
    static func json(_ frame: String) throws(VertoDrop) -> JSONValue {
        guard frame.utf8.count <= VertoLimits.frameBytes else { throw .tooLong }
        guard !frame.utf8.starts(with: "#SP".utf8) else { throw .speedTest }
        guard let json = try? JSONValue(parsing: frame) else { throw .notJSON }
        return json
    }
}
