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

extension EndReason {
    /// The end of a call that the phone itself ends.
    public init(_ cause: HangUpCause) {
        self =
            switch cause {
            case .mediaLost: .mediaLost
            case .mediaFailed: .mediaFailed
            case .networkLost: .networkLost
            case .timedOut: .timedOut
            case .tooLong: .tooLong
            case .shutDown: .shutDown
            }
    }

    /// The end of an offered call that is rejected here.
    public init(_ rejection: CallRejection) {
        self =
            switch rejection {
            case .busy: .refusedBusy
            case .declined: .declined
            case .noAnswer: .noAnswer
            case .unavailable: .lineNotReady
            }
    }

    /// The end of a call to a target that no line can call. A server would give the same status: address incomplete
    /// (RFC 3261 §21.4.22).
    public static let invalidTarget = EndReason.rejected(484)

    /// Whether the call failed. Spec §4: `ended` is a normal finish, `failed` is not.
    public var isFailure: Bool { row.isFailure }
    /// The stable word for programs.
    public var code: String { row.code }
    /// How the call ended, for people.
    public var sentence: String { row.sentence }
    /// A few words for the front panel: English, German. Nil: it shows the sentence.
    public var label: [String]? { row.label }

    /// Every reason that has no number and no further failure.
    public static let plain: [EndReason] = [
        .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced, .noAnswer,
        .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .unreachable, .lineNotReady, .incompatible,
        .insecurePath, .anonymityRefused, .pickupUnnamed, .mediaFailed, .mediaLost, .networkLost, .timedOut,
        .transferred, .tooLong, .interrupted, .shutDown,
    ]
}

/// What programs and people learn about a reason.
private struct EndReasonRow {
    let code: String
    let isFailure: Bool
    let sentence: String
    let label: [String]?

    static func ended(_ code: String, _ sentence: String, _ label: [String]? = nil) -> EndReasonRow {
        EndReasonRow(code: code, isFailure: false, sentence: sentence, label: label)
    }

    static func failed(_ code: String, _ sentence: String, _ label: [String]? = nil) -> EndReasonRow {
        EndReasonRow(code: code, isFailure: true, sentence: sentence, label: label)
    }
}

extension EndReason {
    /// One row for each reason. What the phone does at such an end is in `PhoneCore/Call/EndReason.swift`.
    private var row: EndReasonRow {
        switch self {
        case .hungUpHere: .ended("hungUpHere", "hung up here", ["Hung up", "Aufgelegt"])
        case .hungUpThere:
            .ended("hungUpThere", "the far end hung up", ["The far end hung up", "Gegenseite hat aufgelegt"])
        case .declined: .ended("declined", "declined here", ["Declined", "Abgelehnt"])
        case .refusedBusy: .ended("refusedBusy", "there was no room for another call")
        case .doNotDisturb: .ended("doNotDisturb", "do-not-disturb is on")
        case .blocked: .ended("blocked", "the caller is blocked")
        case .noOffer: .failed("noOffer", "caller info announced it, but no line offered it")
        case .notAnnounced: .failed("notAnnounced", "it could not be announced in time")
        case .noAnswer: .ended("noAnswer", "nobody answered", ["No answer", "Keine Antwort"])
        case .busyThere: .ended("busyThere", "the far end is busy", ["Busy", "Besetzt"])
        case .declinedThere: .ended("declinedThere", "the far end declined", ["Declined there", "Dort abgelehnt"])
        case .cancelledThere:
            .ended("cancelledThere", "the caller gave up", ["The caller gave up", "Anrufer hat aufgegeben"])
        case .answeredElsewhere: .ended("answeredElsewhere", "it was answered elsewhere")
        case .rejected(401):
            .failed(
                "rejected",
                "it was rejected with SIP status 401: the server accepts neither the password nor a withheld number, or it "
                    + "is a proxy that challenges calls with 401 (Kamailio: use `proxy_challenge`, not `www_challenge`, for INVITE)",
                ["The server rejected the password (401)", "Server lehnte das Passwort ab (401)"])
        case .rejected(let status):
            .failed("rejected", "it was rejected with SIP status \(status)", ["Rejected there", "Dort abgewiesen"])
        case .unreachable:
            .failed("unreachable", "the far end could not be reached", ["Not reachable", "Nicht erreichbar"])
        case .lineNotReady:
            .failed("lineNotReady", "the line is not ready", ["The line is not ready", "Leitung nicht bereit"])
        case .incompatible:
            .failed("incompatible", "the two ends have no codec, no encryption or no network path in common")
        case .insecurePath:
            .failed(
                "insecurePath",
                "the far end can be reached only over a transport that is less secure than the account's")
        case .anonymityRefused:
            .failed(
                "anonymityRefused",
                "the server does not accept anonymous calls; `sip.server_withholds` lets it hide the number itself")
        case .pickupUnnamed:
            .failed("pickupUnnamed", "the server does not say whose call it is; set `calls.pickup_codes`")
        case .mediaFailed: .failed("mediaFailed", "sound could not be set up")
        case .mediaLost: .failed("mediaLost", "no media arrived any more")
        case .networkLost: .failed("networkLost", "the network was lost")
        case .timedOut:
            .failed("timedOut", "it took too long to set up", ["No answer from the server", "Server antwortet nicht"])
        case .organisation(let failure):
            .failed(
                "organizationSwitchFailed", "the phone could not switch to the call's organization: \(failure.sentence)"
            )
        case .transferred:
            .ended("transferred", "it was transferred, or another call replaced it", ["Transferred", "Vermittelt"])
        case .tooLong: .ended("tooLong", "it reached the maximum call time")
        case .interrupted: .failed("interrupted", "the program was interrupted during the call")
        case .shutDown: .ended("shutDown", "the phone was shut down")
        }
    }
}

/// Why a change of organisation failed. The phone still works for the former one. The list of organisations fails for
/// the same reasons.
public enum SwitchFailure: Error, Equatable, Codable, Sendable {
    /// The backend's answer names no organisation.
    case noOrganisation
    case network
    /// The backend's status, and its text for people. Nil: it gave none, or the event log is of a former version.
    case api(Int, String? = nil)
    case parse, timeout, credentialStore, connection
    /// The call that asked for the change ended, or the phone gave up what was under way.
    case abandoned
}

extension SwitchFailure {
    /// The stable word for programs.
    public var code: String {
        switch self {
        case .noOrganisation: "noOrganization"
        case .network: "network"
        case .api: "api"
        case .parse: "parse"
        case .timeout: "timeout"
        case .credentialStore: "credentialStore"
        case .connection: "connection"
        case .abandoned: "abandoned"
        }
    }

    /// For people.
    public var sentence: String {
        switch self {
        case .noOrganisation: "the backend's answer names no organization"
        case .network: "the backend cannot be reached"
        case .api(let status, let text): "the backend refused it (\(status))" + (text.map { ": \($0)" } ?? "")
        case .parse: "the backend's answer is not usable"
        case .timeout: "it took too long"
        case .credentialStore: "the vault did not keep the credentials"
        case .connection: "the server refused the new credentials"
        case .abandoned: "it was given up"
        }
    }
}

/// Why a call was refused before it was announced.
public enum CallRefusal: String, CaseIterable, Codable, Sendable {
    /// The call came from a source whose calls are not accepted.
    case notAccepted
    /// The call came over a transport that the account does not use.
    case otherTransport
    /// The line has as many calls as it may have, or calls come too often.
    case noRoom, tooOften
    case shuttingDown
    /// A backend announced the call before, and it has ended at this phone.
    case overHere
    /// This phone's own call came back.
    case loop
    /// The account requires SRTP, and the caller offers none.
    case noProtection
    /// The caller requires a kind of SRTP that is unknown here, or that the account does not use.
    case protectionUnsupported
    case noCommonCodec, noAudio, unusableMedia
    /// The account may be reached only through a server.
    case noICE
    /// The call asks to replace another one, which does not exist or may not be replaced.
    case nothingToReplace
    /// The caller requires something that is unknown here.
    case unsupported
    case malformed

    /// The reason, for people. Some texts also name the setting that would change it.
    public var words: String {
        switch self {
        case .notAccepted: "calls from this source are not accepted"
        case .otherTransport: "the call came over a transport that the account does not use"
        case .noRoom: "the line has as many calls as it may have"
        case .tooOften: "calls come too often"
        case .shuttingDown: "the phone is shutting down"
        case .overHere: "it was announced before, and has ended here"
        case .loop: "it is this phone's own call, which came back"
        case .noProtection: "the caller offers no encryption; `--protection offered` would allow it"
        case .protectionUnsupported: "the caller requires an encryption that this account does not use"
        case .noCommonCodec: "the caller and this phone have no codec in common"
        case .noAudio: "the caller offers no audio"
        case .unusableMedia: "the caller's media cannot be used"
        case .noICE: "the caller does not use ICE, and this account hides its own address"
        case .nothingToReplace: "the call that it asks to replace does not exist"
        case .unsupported: "the caller requires something that this phone does not support"
        case .malformed: "the call is malformed"
        }
    }
}

/// How the phone or a person rejects an offered call.
public enum CallRejection: Equatable, Codable, Sendable {
    case busy, declined, noAnswer, unavailable
}

/// Why the phone itself ends a call, without a person's wish. The far end learns it (RFC 3326).
public enum HangUpCause: String, CaseIterable, Codable, Equatable, Sendable {
    /// No media arrived any more.
    case mediaLost
    /// Sound could not be set up.
    case mediaFailed
    case networkLost
    /// It took too long to set up.
    case timedOut
    /// The call reached the longest time that the phone allows.
    case tooLong
    case shutDown
}

/// What a server or a far end said about the end of a call. Untrusted text.
public struct ServerEnd: Equatable, Codable, Sendable {
    /// The name of the cause, such as `USER_BUSY`, or the list of its code: `SIP` or `Q.850` (RFC 3326).
    public var cause: String?
    public var code: Int?
    public var text: String?

    public init(cause: String?, code: Int?, text: String?) {
        self.cause = cause
        self.code = code
        self.text = text
    }
}
