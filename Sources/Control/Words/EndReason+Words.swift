import JSON
import PhoneCore

extension EndReason {
    /// `reason`, and `message` with the same for people. Also the far end's `status`, or as `cause` what went wrong
    /// with the organisation, where there is one.
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
