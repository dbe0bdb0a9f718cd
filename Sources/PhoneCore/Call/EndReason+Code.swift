extension EndReason {
    /// The stable word for programs.
    public var code: String {
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
        case .anonymityRefused: "anonymityRefused"
        case .pickupUnnamed: "pickupUnnamed"
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
}
