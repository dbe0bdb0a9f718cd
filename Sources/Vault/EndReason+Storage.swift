import PhoneCore

/// The words by which the vault keeps a call's end. They outlive releases: add, never change.
extension EndReason {
    /// Every reason but `rejected`, which carries a number.
    private static let plain: [EndReason] = [
        .hungUpHere, .hungUpThere, .declined, .refusedBusy, .noAnswer, .busyThere, .declinedThere, .cancelledThere,
        .answeredElsewhere, .unreachable, .lineNotReady, .incompatible, .mediaFailed, .mediaLost, .networkLost,
        .timedOut, .interrupted, .shutDown,
    ]

    package init?(stored text: String) {
        if let reason = EndReason.plain.first(where: { $0.stored == text }) {
            self = reason
        } else if text.hasPrefix("rejected "), let status = Int(text.dropFirst("rejected ".count)) {
            self = .rejected(status)
        } else {
            return nil
        }
    }

    package var stored: String {
        switch self {
        case .hungUpHere: "hung up here"
        case .hungUpThere: "hung up there"
        case .declined: "declined"
        case .refusedBusy: "refused busy"
        case .noAnswer: "no answer"
        case .busyThere: "busy there"
        case .declinedThere: "declined there"
        case .cancelledThere: "cancelled there"
        case .answeredElsewhere: "answered elsewhere"
        case .rejected(let status): "rejected \(status)"
        case .unreachable: "unreachable"
        case .lineNotReady: "line not ready"
        case .incompatible: "incompatible"
        case .mediaFailed: "media failed"
        case .mediaLost: "media lost"
        case .networkLost: "network lost"
        case .timedOut: "timed out"
        case .interrupted: "interrupted"
        case .shutDown: "shut down"
        }
    }
}
