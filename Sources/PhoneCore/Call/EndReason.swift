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

/// What the phone does when a call ends.
struct EndConsequences {
    /// The tone that a person hears. Nil: none.
    var tone: Tone? = .congestion
    /// How an unanswered caller is refused. Nil: as the policy declines.
    var refusal: CallRejection? = .unavailable
    /// Why an incoming call that ended before an answer was missed. Nil: the person missed nothing.
    var missed: MissedReason? = .failed
    /// Whether the signalling of an unanswered call may have ended only because the line left its session.
    var isLossOfSession = false
    /// Whether the next target may be dialled instead.
    var triesNext = false
}

extension EndReason {
    /// One row for each reason. Its words are in `Telephony/CallEnd.swift`.
    var consequences: EndConsequences {
        switch self {
        case .hungUpHere: .init(tone: nil, refusal: nil, missed: .declined)
        case .hungUpThere: .init(missed: .remoteHungUp)
        case .declined: .init(tone: nil, refusal: nil, missed: .declined)
        case .refusedBusy: .init(tone: nil, refusal: .busy, missed: .rejectedBusy)
        case .doNotDisturb: .init(tone: nil, refusal: .busy, missed: .doNotDisturb)
        case .blocked: .init(tone: nil, refusal: nil, missed: nil)
        case .noOffer: .init(missed: .noOffer)
        case .notAnnounced: .init(tone: nil)
        case .noAnswer: .init(refusal: .noAnswer, missed: .timeout, triesNext: true)
        case .busyThere, .declinedThere: .init(tone: .busy, triesNext: true)
        case .cancelledThere: .init(tone: nil, missed: .remoteHungUp)
        case .answeredElsewhere: .init(tone: nil, missed: nil)
        case .rejected(486), .rejected(600), .rejected(603):
            .init(tone: .busy, isLossOfSession: true, triesNext: true)
        case .rejected(404), .rejected(410), .rejected(484), .rejected(604):
            .init(tone: .specialInformation, isLossOfSession: true, triesNext: true)
        case .rejected: .init(isLossOfSession: true, triesNext: true)
        case .unreachable, .timedOut: .init(isLossOfSession: true, triesNext: true)
        case .lineNotReady, .networkLost: .init(isLossOfSession: true)
        case .incompatible, .insecurePath, .mediaFailed: .init(triesNext: true)
        case .anonymityRefused, .pickupUnnamed, .mediaLost, .organisation, .tooLong: .init()
        case .transferred: .init(tone: nil)
        case .interrupted: .init(tone: nil, missed: .interrupted, isLossOfSession: true)
        case .shutDown: .init(tone: nil, isLossOfSession: true)
        }
    }

    /// What the far end learns when the phone itself ends the call. Nil: a person hung up, or the line knows the
    /// reason.
    var hangUpCause: HangUpCause? { HangUpCause.allCases.first { EndReason($0) == self } }

    /// How an unanswered caller is refused for this reason.
    func refusal(declinedAs: CallRejection) -> CallRejection { consequences.refusal ?? declinedAs }
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
    /// The stable word for programs: the name of the case.
    public var code: String { "\(self)" }
}
