import PhoneCore

/// The vault's texts for the reason of a call's end. Later releases read them: texts may be added, but never changed.
extension EndReason {
    /// Every reason without a number.
    private static let plain: [EndReason] =
        [
            .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .noAnswer, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .unreachable, .lineNotReady,
            .incompatible, .mediaFailed, .mediaLost, .networkLost, .timedOut, .transferred, .tooLong, .interrupted,
            .shutDown, .insecurePath, .anonymityRefused, .pickupUnnamed,
        ]
        + [.noOrganisation, .network, .parse, .timeout, .credentialStore, .connection, .abandoned]
        .map { .organisation($0) }

    package init?(stored text: String) {
        if let reason = EndReason.plain.first(where: { $0.stored == text }) {
            self = reason
        } else if let status = EndReason.number(in: text, after: "rejected ") {
            self = .rejected(status)
        } else if let status = EndReason.number(in: text, after: "organisation api ") {
            self = .organisation(.api(status))
        } else {
            return nil
        }
    }

    private static func number(in text: String, after words: String) -> Int? {
        text.hasPrefix(words) ? Int(text.dropFirst(words.count)) : nil
    }

    package var stored: String {
        switch self {
        case .hungUpHere: "hung up here"
        case .hungUpThere: "hung up there"
        case .declined: "declined"
        case .refusedBusy: "refused busy"
        case .doNotDisturb: "do not disturb"
        case .blocked: "blocked"
        case .noOffer: "no offer"
        case .notAnnounced: "not announced"
        case .noAnswer: "no answer"
        case .busyThere: "busy there"
        case .declinedThere: "declined there"
        case .cancelledThere: "cancelled there"
        case .answeredElsewhere: "answered elsewhere"
        case .rejected(let status): "rejected \(status)"
        case .unreachable: "unreachable"
        case .lineNotReady: "line not ready"
        case .incompatible: "incompatible"
        case .insecurePath: "insecure path"
        case .anonymityRefused: "anonymity refused"
        case .pickupUnnamed: "pickup unnamed"
        case .mediaFailed: "media failed"
        case .mediaLost: "media lost"
        case .networkLost: "network lost"
        case .timedOut: "timed out"
        case .organisation(let failure): "organisation " + failure.stored
        case .transferred: "transferred"
        case .tooLong: "too long"
        case .interrupted: "interrupted"
        case .shutDown: "shut down"
        }
    }
}

extension SwitchFailure {
    fileprivate var stored: String {
        switch self {
        case .noOrganisation: "no organisation"
        case .network: "network"
        // The history is for people, who have read the text when it mattered.
        case .api(let status, _): "api \(status)"
        case .parse: "parse"
        case .timeout: "timeout"
        case .credentialStore: "credential store"
        case .connection: "connection"
        case .abandoned: "abandoned"
        }
    }
}
