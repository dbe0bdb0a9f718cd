extension MissedReason {
    /// The stable word for programs.
    public var code: String {
        switch self {
        case .remoteHungUp: "remoteHungUp"
        case .timeout: "timeout"
        case .declined: "declined"
        case .rejectedBusy: "rejectedBusy"
        case .doNotDisturb: "doNotDisturb"
        case .noOffer: "noOffer"
        case .interrupted: "interrupted"
        case .failed: "failed"
        }
    }
}
