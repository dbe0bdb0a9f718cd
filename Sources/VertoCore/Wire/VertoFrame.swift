import Base
import JSON

/// A frame for the server. Its description names only its method, because its content may be secret.
public struct VertoFrame: Equatable, Sendable {
    /// The text of the frame. The login's text has the password.
    public let text: Redacted<String>
    private let words: String

    init(_ members: [String: JSONValue]) {
        text = Redacted(JSONValue.object(members).text)
        words = members["method"]?.string ?? members["result"]?["method"]?.string.map { "answer to " + $0 } ?? "answer"
    }

    /// The received text, sent back unchanged.
    init(echo text: String) {
        self.text = Redacted(text)
        words = "echo of a ping"
    }
}

extension VertoFrame: CustomStringConvertible, CustomReflectable {
    public var description: String { words }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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

/// The id of a server's request, sent back unchanged. Telnyx sends numbers, others send texts.
struct VertoRequestID: Equatable, Sendable {
    let json: JSONValue

    init(_ json: JSONValue) throws(VertoDrop) {
        switch json {
        case .integer: self.json = json
        case .string(let text) where text.utf8.count <= VertoLimits.idBytes: self.json = json
        case .string, .null, .bool, .unsigned, .number, .array, .object: throw .badID
        }
    }
}

/// A server's refusal of a request. FreeSWITCH puts the cause of a failed call beside the message.
struct VertoServerError: Equatable, Sendable {
    /// The server requests a login.
    static let authenticationRequired: Int64 = -32_000

    let code: Int64?
    let message: String
    let cause: String?
    let causeCode: Int?

    init(_ json: JSONValue) throws(VertoDrop) {
        guard json.object != nil else { throw .wrongType }
        let details = json["data"]?.object == nil ? json : json["data"] ?? json
        code = json["code"]?.integer
        message = json.shown("message", bytes: VertoLimits.messageBytes) ?? ""
        cause =
            details.shown("cause", bytes: VertoLimits.causeBytes) ?? json.shown("cause", bytes: VertoLimits.causeBytes)
        causeCode = details.number("causeCode") ?? json.number("causeCode")
    }

    /// The end of a call that the server refuses.
    var end: VertoEnd {
        let named = VertoEnd(cause: cause, code: causeCode, sipCode: nil, sipReason: nil, wasRinging: false)
        // Some servers put the name of the cause into the message.
        guard cause == nil, causeCode == nil else { return named }
        let cause = message.shown(bytes: VertoLimits.causeBytes)
        return VertoEnd(cause: cause.isEmpty ? nil : cause, code: nil, sipCode: nil, sipReason: nil, wasRinging: false)
    }
}
