import JSON

/// The id of a server's request, sent back unchanged. Telnyx sends numbers, others send texts.
struct VertoRequestID: Equatable, Sendable {
    let json: JSONValue

    init(_ json: JSONValue) throws(VertoDrop) {
        switch json {
        case .integer: self.json = json
        case .string(let text) where text.utf8.count <= VertoLimits.idBytes: self.json = json
        case .string, .null, .bool, .number, .array, .object: throw .badID
        }
    }
}
