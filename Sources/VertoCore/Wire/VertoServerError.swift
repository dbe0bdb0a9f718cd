import Base
import JSON

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
