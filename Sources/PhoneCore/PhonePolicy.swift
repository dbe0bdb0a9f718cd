import Base

/// What the integrator may decide about the phone's behaviour: limits, times, preferences.
///
/// The defaults are the numbers of the specification. Every duration is positive.
public struct PhonePolicy: Equatable, Sendable {
    /// The account that a number is dialled with when nobody names another.
    public var defaultAccount = AccountID.direct
    /// Calls that may exist at once, 1...8. Of these one has sound.
    public var maximumCalls = 2
    public var defaultRoute = Route.handset
    /// What a caller is told whom a person declines.
    public var declinedAs = Refusal.declined
    /// Emergency and short service numbers: dialled though they are shorter than three characters.
    public var shortNumbers: Set<String> = ["112", "911"]
    public var ringCadence = RingCadence([.seconds(1), .seconds(4)])

    /// How long a call rings here, and how long one rings there, before it ends unanswered.
    public var ringingInTime = Duration.seconds(30)
    public var ringingOutTime = Duration.seconds(30)

    /// Within these an action is fulfilled or failed. The answer's covers line, signalling and media.
    public var answerTime = Duration.seconds(5)
    public var startTime = Duration.seconds(5)
    public var endTime = Duration.seconds(2)
    public var actionTime = Duration.seconds(2)

    /// How long media may take to stand after the far end answered.
    public var connectTime = Duration.seconds(5)
    /// How long hold or resume may be negotiated: a little more than a SIP transaction lives (RFC 3261 §17.1.1.2).
    public var negotiationTime = Duration.seconds(33)
    /// Media reports silence after `silenceReportedAfter`; the call is lost after `silenceTime` of it.
    public var silenceTime = Duration.seconds(30)
    public var silenceReportedAfter = Duration.seconds(5)
    /// How long a call outlives the network.
    public var networkTime = Duration.seconds(30)

    /// Silence after the last digit that dials.
    public var digitTime = Duration.seconds(4)
    /// Off-hook without dialling, or after a call: then congestion, then the howler, then quiet.
    public var offHookTime = Duration.seconds(30)
    public var congestionTime = Duration.seconds(20)
    public var howlerTime = Duration.seconds(30)
    /// How long a failure is heard when no handset needs to be replaced.
    public var handsFreeToneTime = Duration.seconds(5)

    public init() {}

    /// - Precondition: limits and times are in range; configuration is checked where it is read.
    func check() {
        precondition((1...8).contains(maximumCalls), "maximumCalls is 1...8")
        precondition(silenceTime > silenceReportedAfter, "silence ends a call after it was reported")
        let times = [
            ringingInTime, ringingOutTime, answerTime, startTime, endTime, actionTime, connectTime, negotiationTime,
            networkTime, digitTime, offHookTime, congestionTime, howlerTime, handsFreeToneTime,
        ]
        precondition(times.allSatisfy { $0 > .zero }, "times are positive")
    }
}
