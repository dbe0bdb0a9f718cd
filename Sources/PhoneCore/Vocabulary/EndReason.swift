/// Why a call ended. Every call has exactly one.
public enum EndReason: Equatable, Codable, Sendable {
    case hungUpHere, hungUpThere
    /// Refused by the person here.
    case declined
    /// Refused here because there was no room for another call.
    case refusedBusy
    /// Refused here because a person wants no calls, or not this caller's.
    case doNotDisturb, blocked
    /// Announced by caller info, and never offered by a line.
    case noOffer
    /// Could not be announced in time.
    case notAnnounced
    /// Nobody answered here, or there, within the ringing time.
    case noAnswer
    /// The far end was busy, or declined.
    case busyThere, declinedThere
    /// The caller gave up before an answer.
    case cancelledThere
    case answeredElsewhere
    /// Another final answer: its SIP status.
    case rejected(Int)
    /// Nobody answered the signalling, or it could not be sent.
    case unreachable
    case lineNotReady
    /// The two ends share no codec or no protection.
    case incompatible
    /// The far end is to be reached over a transport that is worse than the account's: in clear instead of over TLS.
    case insecurePath
    case mediaFailed, mediaLost, networkLost
    /// An action ran over its deadline.
    case timedOut
    /// The phone could not change to the call's organisation.
    case organisation(SwitchFailure)
    /// Handed over to somebody else.
    case transferred
    /// The longest time a call may take is over.
    case tooLong
    /// Found after a crash.
    case interrupted
    case shutDown
}
