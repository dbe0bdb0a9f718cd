import Base

/// Why a call was missed, in the words that a person reads.
public enum MissedReason: String, CaseIterable, Codable, Sendable {
    case remoteHungUp = "remote hung up"
    case timeout
    case declined
    case rejectedBusy = "rejected: busy"
    case doNotDisturb = "do not disturb"
    case noOffer = "no offer"
    /// It rang when the program was interrupted.
    case interrupted
    /// Something failed before a person could answer.
    case failed
}

extension EndReason {
    /// The tone that a person hears for this reason. Nil: none.
    var tone: Tone? {
        switch self {
        case .hungUpHere, .declined, .refusedBusy, .doNotDisturb, .blocked, .answeredElsewhere, .interrupted, .shutDown,
            .cancelledThere, .transferred, .notAnnounced:
            nil
        case .busyThere, .declinedThere: .busy
        case .rejected(let status):
            switch status {
            case 486, 600, 603: .busy
            case 404, 410, 484, 604: .specialInformation
            case _: .congestion
            }
        case .hungUpThere, .noAnswer, .unreachable, .lineNotReady, .incompatible, .insecurePath, .mediaFailed,
            .mediaLost, .networkLost, .timedOut, .noOffer, .organisation, .tooLong, .anonymityRefused, .pickupUnnamed:
            .congestion
        }
    }

    /// How an unanswered caller is refused for this reason.
    func refusal(declinedAs: CallRejection) -> CallRejection {
        switch self {
        case .declined, .hungUpHere, .blocked: declinedAs
        case .refusedBusy, .doNotDisturb: .busy
        case .noAnswer: .noAnswer
        case .hungUpThere, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected, .unreachable,
            .lineNotReady, .incompatible, .insecurePath, .mediaFailed, .mediaLost, .networkLost, .timedOut,
            .interrupted, .shutDown, .noOffer, .notAnnounced, .organisation, .transferred, .tooLong,
            .anonymityRefused, .pickupUnnamed:
            .unavailable
        }
    }

    /// What the far end learns when the phone itself ends the call. Nil: a person hung up, or the line knows the reason.
    var hangUpCause: HangUpCause? {
        switch self {
        case .mediaLost: .mediaLost
        case .mediaFailed: .mediaFailed
        case .networkLost: .networkLost
        case .timedOut: .timedOut
        case .tooLong: .tooLong
        case .shutDown: .shutDown
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noAnswer, .noOffer,
            .notAnnounced, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected, .unreachable,
            .lineNotReady, .incompatible, .insecurePath, .interrupted, .organisation, .transferred, .anonymityRefused,
            .pickupUnnamed:
            nil
        }
    }

    /// Why an incoming call that ended for this reason before an answer was missed. Nil: the person missed nothing.
    var missed: MissedReason? {
        switch self {
        case .hungUpThere, .cancelledThere: .remoteHungUp
        case .noAnswer: .timeout
        case .declined, .hungUpHere: .declined
        case .refusedBusy: .rejectedBusy
        case .doNotDisturb: .doNotDisturb
        case .noOffer: .noOffer
        case .interrupted: .interrupted
        case .answeredElsewhere, .blocked: nil
        case .busyThere, .declinedThere, .rejected, .unreachable, .lineNotReady, .incompatible, .insecurePath,
            .mediaFailed, .mediaLost, .networkLost, .timedOut, .shutDown, .notAnnounced, .organisation, .transferred,
            .tooLong, .anonymityRefused, .pickupUnnamed:
            .failed
        }
    }

    /// Whether the signalling of an unanswered call may have ended only because the line left its session.
    var isLossOfSession: Bool {
        switch self {
        case .rejected, .unreachable, .lineNotReady, .networkLost, .timedOut, .interrupted, .shutDown: true
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .noAnswer, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .incompatible, .insecurePath,
            .anonymityRefused, .pickupUnnamed, .mediaFailed, .mediaLost, .organisation, .transferred, .tooLong:
            false
        }
    }

    /// Whether the next target may be dialled instead.
    var triesNext: Bool {
        switch self {
        case .noAnswer, .busyThere, .declinedThere, .rejected, .unreachable, .incompatible, .insecurePath, .timedOut,
            .mediaFailed:
            true
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .cancelledThere,
            .answeredElsewhere, .lineNotReady, .mediaLost, .networkLost, .interrupted, .shutDown, .noOffer,
            .notAnnounced, .organisation, .transferred, .tooLong, .anonymityRefused, .pickupUnnamed:
            false
        }
    }
}

extension CallRefusal {
    /// The end reason of a refused call that counts as missed: its caller may call, but could not. Nil: the person
    /// missed nothing.
    var missedAs: EndReason? {
        switch self {
        case .noProtection, .protectionUnsupported, .noCommonCodec, .noAudio, .unusableMedia, .noICE, .unsupported,
            .malformed:
            .incompatible
        case .noRoom, .tooOften: .refusedBusy
        case .notAccepted, .otherTransport, .shuttingDown, .overHere, .loop, .nothingToReplace: nil
        }
    }
}

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
