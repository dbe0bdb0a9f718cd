import PhoneCore

extension EndReason {
    /// The stable word for programs.
    var code: String {
        switch self {
        case .hungUpHere: "hungUpHere"
        case .hungUpThere: "hungUpThere"
        case .declined: "declined"
        case .refusedBusy: "refusedBusy"
        case .noAnswer: "noAnswer"
        case .busyThere: "busyThere"
        case .declinedThere: "declinedThere"
        case .cancelledThere: "cancelledThere"
        case .answeredElsewhere: "answeredElsewhere"
        case .rejected: "rejected"
        case .unreachable: "unreachable"
        case .lineNotReady: "lineNotReady"
        case .incompatible: "incompatible"
        case .mediaFailed: "mediaFailed"
        case .mediaLost: "mediaLost"
        case .networkLost: "networkLost"
        case .timedOut: "timedOut"
        case .interrupted: "interrupted"
        case .shutDown: "shutDown"
        }
    }

    /// `reason`, and the far end's `status` where there is one.
    var members: [String: JSONValue] {
        if case .rejected(let status) = self {
            ["reason": .string(code), "status": .integer(Int64(status))]
        } else {
            ["reason": .string(code)]
        }
    }
}
