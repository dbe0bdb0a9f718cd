import Base

/// Why a call ended. Every call has exactly one.
public enum EndReason: Equatable, Codable, Sendable {
    case hungUpHere, hungUpThere
    /// Refused by the person here.
    case declined
    /// Refused here because there was no room for another call.
    case refusedBusy
    /// Refused here because a person wants no calls, or none from this caller.
    case doNotDisturb, blocked
    /// Announced by caller info, and never offered by a line.
    case noOffer
    /// Could not be announced in time.
    case notAnnounced
    /// No answer here, or there, within the ringing time.
    case noAnswer
    /// The far end was busy, or declined.
    case busyThere, declinedThere
    /// The caller gave up before an answer.
    case cancelledThere
    case answeredElsewhere
    /// Another final answer: its SIP status.
    case rejected(Int)
    /// The signalling got no answer, or could not be sent.
    case unreachable
    case lineNotReady
    /// The two ends share no codec or no protection.
    case incompatible
    /// The far end can be reached only over a transport that is less secure than the account's: in clear instead of
    /// over TLS.
    case insecurePath
    /// The server does not accept a call whose caller withholds the number.
    case anonymityRefused
    /// The server does not say whose call rings at the watched number, so that the call cannot be picked up.
    case pickupUnnamed
    case mediaFailed, mediaLost, networkLost
    /// An action ran over its deadline.
    case timedOut
    /// The phone could not change to the call's organisation.
    case organisation(SwitchFailure)
    /// The far end was connected with another party, or another call replaced this one.
    case transferred
    /// The maximum call time is over.
    case tooLong
    /// Found after a crash.
    case interrupted
    case shutDown
}

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
    /// Whether the call failed. Spec §4: `ended` is a normal finish, `failed` is not.
    public var isFailure: Bool {
        switch self {
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noAnswer, .busyThere,
            .declinedThere, .cancelledThere, .answeredElsewhere, .transferred, .tooLong, .shutDown:
            false
        case .rejected, .unreachable, .lineNotReady, .incompatible, .insecurePath, .anonymityRefused, .pickupUnnamed,
            .mediaFailed, .mediaLost, .networkLost, .timedOut, .interrupted, .noOffer, .notAnnounced, .organisation:
            true
        }
    }

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

extension EndReason {
    /// How the call ended, for people.
    public var sentence: String {
        switch self {
        case .hungUpHere: "hung up here"
        case .hungUpThere: "the far end hung up"
        case .declined: "declined here"
        case .refusedBusy: "there was no room for another call"
        case .doNotDisturb: "do-not-disturb is on"
        case .blocked: "the caller is blocked"
        case .noOffer: "caller info announced it, but no line offered it"
        case .notAnnounced: "it could not be announced in time"
        case .noAnswer: "nobody answered"
        case .busyThere: "the far end is busy"
        case .declinedThere: "the far end declined"
        case .cancelledThere: "the caller gave up"
        case .answeredElsewhere: "it was answered elsewhere"
        case .rejected(401):
            "it was rejected with SIP status 401: the server accepts neither the password nor a withheld number, or it "
                + "is a proxy that challenges calls with 401 (Kamailio: use `proxy_challenge`, not `www_challenge`, for INVITE)"
        case .rejected(let status): "it was rejected with SIP status \(status)"
        case .unreachable: "the far end could not be reached"
        case .lineNotReady: "the line is not ready"
        case .incompatible: "the two ends have no codec, no encryption or no network path in common"
        case .insecurePath: "the far end can be reached only over a transport that is less secure than the account's"
        case .anonymityRefused:
            "the server does not accept anonymous calls; `sip.server_withholds` lets it hide the number itself"
        case .pickupUnnamed: "the server does not say whose call it is; set `calls.pickup_codes`"
        case .mediaFailed: "sound could not be set up"
        case .mediaLost: "no media arrived any more"
        case .networkLost: "the network was lost"
        case .timedOut: "it took too long to set up"
        case .organisation(let failure): "the phone could not switch to the call's organization: \(failure.sentence)"
        case .transferred: "it was transferred, or another call replaced it"
        case .tooLong: "it reached the maximum call time"
        case .interrupted: "the program was interrupted during the call"
        case .shutDown: "the phone was shut down"
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
