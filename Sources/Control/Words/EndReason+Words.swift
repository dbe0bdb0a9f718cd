import JSON
import PhoneCore

extension EndReason {
    /// `reason`, and a `message` for people. If present, also the far end's `status`, or the organisation's failure as
    /// `cause`.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if case .rejected(let status) = self { members["status"] = .integer(Int64(status)) }
        if case .organisation(let failure) = self {
            members = failure.members
            members["cause"] = members["reason"]
        }
        members["reason"] = .string(code)
        members["message"] = .string(sentence)
        return members
    }
}
