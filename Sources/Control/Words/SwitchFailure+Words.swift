import JSON
import PhoneCore

extension SwitchFailure {
    /// `reason`; of an answer of the backend also its `status` and `text`.
    var members: [String: JSONValue] {
        switch self {
        case .api(let status, let text): answer(code, status, text)
        case .noOrganisation, .network, .parse, .timeout, .credentialStore, .connection, .abandoned:
            ["reason": .string(code)]
        }
    }
}

extension SignInFailure {
    /// The stable word for programs.
    var code: String {
        switch self {
        case .cancelled: "cancelled"
        case .denied: "denied"
        case .expired: "expired"
        case .identity: "identity"
        case .network: "network"
        case .api: "api"
        case .parse: "parse"
        case .timeout: "timeout"
        case .credentialStore: "credentialStore"
        case .clockNotSet: "clockNotSet"
        }
    }

    /// `reason`; of an answer of the backend also its `status` and `text`.
    var members: [String: JSONValue] {
        switch self {
        case .api(let status, let text): answer(code, status, text)
        case .clockNotSet, .cancelled, .denied, .expired, .identity, .network, .parse, .timeout, .credentialStore:
            ["reason": .string(code)]
        }
    }
}

private func answer(_ code: String, _ status: Int, _ text: String?) -> [String: JSONValue] {
    ["reason": .string(code), "status": .integer(Int64(status)), "text": .text(text)]
}
