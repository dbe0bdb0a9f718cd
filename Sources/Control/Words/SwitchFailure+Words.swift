import JSON
import PhoneCore

extension SwitchFailure {
    /// The stable word for programs.
    var code: String {
        switch self {
        case .network: "network"
        case .api: "api"
        case .parse: "parse"
        case .timeout: "timeout"
        case .credentialStore: "credentialStore"
        case .connection: "connection"
        case .abandoned: "abandoned"
        }
    }

    /// `reason`, and the backend's `status` if present.
    var members: [String: JSONValue] {
        switch self {
        case .api(let status): ["reason": .string(code), "status": .integer(Int64(status))]
        case .network, .parse, .timeout, .credentialStore, .connection, .abandoned: ["reason": .string(code)]
        }
    }
}
