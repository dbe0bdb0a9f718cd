/// The cause in a BYE: a name and a number of FreeSWITCH. Below 128 the number is that of Q.850.
public struct VertoCause: Equatable, Sendable {
    public let name: String
    public let code: Int

    public init(_ name: String, _ code: Int) { (self.name, self.code) = (name, code) }

    public static let normalClearing = VertoCause("NORMAL_CLEARING", 16)
    public static let userBusy = VertoCause("USER_BUSY", 17)
    public static let noAnswer = VertoCause("NO_ANSWER", 19)
    public static let callRejected = VertoCause("CALL_REJECTED", 21)
    public static let normalUnspecified = VertoCause("NORMAL_UNSPECIFIED", 31)
    public static let temporaryFailure = VertoCause("NORMAL_TEMPORARY_FAILURE", 41)
    public static let incompatibleDestination = VertoCause("INCOMPATIBLE_DESTINATION", 88)
    public static let recoveryOnTimerExpire = VertoCause("RECOVERY_ON_TIMER_EXPIRE", 102)
    public static let originatorCancel = VertoCause("ORIGINATOR_CANCEL", 487)
    public static let allottedTimeout = VertoCause("ALLOTTED_TIMEOUT", 802)
    public static let mediaTimeout = VertoCause("MEDIA_TIMEOUT", 804)
}
