extension EndReason {
    /// Whether the call ended as calls do, or broke.
    var isFailure: Bool {
        switch self {
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .noAnswer, .busyThere, .declinedThere,
            .cancelledThere, .answeredElsewhere, .shutDown:
            false
        case .rejected, .unreachable, .lineNotReady, .incompatible, .mediaFailed, .mediaLost, .networkLost, .timedOut,
            .interrupted:
            true
        }
    }

    /// What tells the ear about it. Nil: nothing to tell.
    var tone: Tone? {
        switch self {
        case .hungUpHere, .declined, .refusedBusy, .answeredElsewhere, .interrupted, .shutDown, .cancelledThere: nil
        case .busyThere, .declinedThere: .busy
        case .rejected(let status):
            switch status {
            case 486, 600, 603: .busy
            case 404, 410, 484, 604: .specialInformation
            case _: .congestion
            }
        case .hungUpThere, .noAnswer, .unreachable, .lineNotReady, .incompatible, .mediaFailed, .mediaLost,
            .networkLost, .timedOut:
            .congestion
        }
    }

    /// How a caller is refused who was not answered.
    func refusal(declinedAs: Refusal) -> Refusal {
        switch self {
        case .declined, .hungUpHere: declinedAs
        case .refusedBusy: .busy
        case .noAnswer: .noAnswer
        case .hungUpThere, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected, .unreachable,
            .lineNotReady, .incompatible, .mediaFailed, .mediaLost, .networkLost, .timedOut, .interrupted, .shutDown:
            .unavailable
        }
    }
}
