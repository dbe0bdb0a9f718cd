import PhoneCore

extension EndReason {
    /// The stable word for programs.
    var code: String {
        switch self {
        case .hungUpHere: "hungUpHere"
        case .hungUpThere: "hungUpThere"
        case .declined: "declined"
        case .refusedBusy: "refusedBusy"
        case .doNotDisturb: "doNotDisturb"
        case .blocked: "blocked"
        case .noOffer: "noOffer"
        case .notAnnounced: "notAnnounced"
        case .noAnswer: "noAnswer"
        case .busyThere: "busyThere"
        case .declinedThere: "declinedThere"
        case .cancelledThere: "cancelledThere"
        case .answeredElsewhere: "answeredElsewhere"
        case .rejected: "rejected"
        case .unreachable: "unreachable"
        case .lineNotReady: "lineNotReady"
        case .incompatible: "incompatible"
        case .insecurePath: "insecurePath"
        case .mediaFailed: "mediaFailed"
        case .mediaLost: "mediaLost"
        case .networkLost: "networkLost"
        case .timedOut: "timedOut"
        case .organisation: "organizationSwitchFailed"
        case .transferred: "transferred"
        case .tooLong: "tooLong"
        case .interrupted: "interrupted"
        case .shutDown: "shutDown"
        }
    }

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
