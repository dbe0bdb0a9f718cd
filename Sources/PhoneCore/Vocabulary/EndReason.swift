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
