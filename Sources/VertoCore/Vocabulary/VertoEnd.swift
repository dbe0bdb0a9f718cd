/// How a call ended.
public struct VertoEnd: Equatable, Sendable {
    public let reason: VertoEndReason
    /// The server's name for it, also an unknown one. Safe to show, at most `VertoLimits.causeBytes`.
    public let cause: String?
    public let code: Int?
    /// The status with which a SIP leg behind the server ended, and its reason phrase.
    public let sipCode: Int?
    public let sipReason: String?

    public init(
        _ reason: VertoEndReason, cause: String? = nil, code: Int? = nil, sipCode: Int? = nil,
        sipReason: String? = nil
    ) {
        (self.reason, self.cause, self.code) = (reason, cause, code)
        (self.sipCode, self.sipReason) = (sipCode, sipReason)
    }
}

/// Why a call ended, in terms of telephony.
public enum VertoEndReason: String, CaseIterable, Equatable, Sendable {
    // Reported by the server.
    case hungUp, busy, noAnswer, declined, cancelled, answeredElsewhere
    case notFound, unavailable, forbidden, incompatible, congestion, timedOut
    /// The server gave a cause that is not in the table. The end keeps its name.
    case failed

    // Decided here.
    /// We hung up.
    case here
    /// The line was not ready.
    case notReady
    /// The server did not answer a request in time.
    case noResponse
    /// The connection was lost, and the server did not give the call back.
    case lost
    /// The server dropped the session and its calls.
    case dropped
}

/// The causes of servers. FreeSWITCH has moved its own causes to numbers above 700. The former numbers come second,
/// because servers and Telnyx's programs still use them.
extension VertoEnd {
    private static let table: [(name: String, codes: [Int], reason: VertoEndReason)] = [
        ("UNALLOCATED_NUMBER", [1], .notFound), ("NO_ROUTE_TRANSIT_NET", [2], .notFound),
        ("NO_ROUTE_DESTINATION", [3], .notFound), ("NORMAL_CLEARING", [16], .hungUp), ("USER_BUSY", [17], .busy),
        ("NO_USER_RESPONSE", [18], .noAnswer), ("NO_ANSWER", [19], .noAnswer),
        ("SUBSCRIBER_ABSENT", [20], .unavailable), ("CALL_REJECTED", [21], .declined),
        ("NUMBER_CHANGED", [22], .notFound), ("DESTINATION_OUT_OF_ORDER", [27], .unavailable),
        ("INVALID_NUMBER_FORMAT", [28], .notFound), ("NORMAL_UNSPECIFIED", [31], .hungUp),
        ("NORMAL_CIRCUIT_CONGESTION", [34], .congestion), ("NETWORK_OUT_OF_ORDER", [38], .congestion),
        ("NORMAL_TEMPORARY_FAILURE", [41], .congestion), ("SWITCH_CONGESTION", [42], .congestion),
        ("REQUESTED_CHAN_UNAVAIL", [44], .congestion), ("BEARERCAPABILITY_NOTAUTH", [57], .forbidden),
        ("BEARERCAPABILITY_NOTAVAIL", [58], .incompatible), ("BEARERCAPABILITY_NOTIMPL", [65], .incompatible),
        ("INVALID_CALL_REFERENCE", [81], .lost), ("INCOMPATIBLE_DESTINATION", [88], .incompatible),
        ("MANDATORY_IE_MISSING", [96], .incompatible), ("RECOVERY_ON_TIMER_EXPIRE", [102], .timedOut),
        ("INTERWORKING", [127], .failed), ("ORIGINATOR_CANCEL", [487], .cancelled), ("CRASH", [700, 500], .dropped),
        ("SYSTEM_SHUTDOWN", [701, 501], .dropped), ("LOSE_RACE", [702, 502], .answeredElsewhere),
        ("MANAGER_REQUEST", [703, 503], .hungUp), ("BLIND_TRANSFER", [800, 600], .hungUp),
        ("ATTENDED_TRANSFER", [801, 601], .hungUp), ("ALLOTTED_TIMEOUT", [802, 602], .timedOut),
        ("USER_CHALLENGE", [803, 603], .forbidden), ("MEDIA_TIMEOUT", [804, 604], .timedOut),
        ("PICKED_OFF", [805, 605], .answeredElsewhere), ("USER_NOT_REGISTERED", [806, 606], .unavailable),
        ("PROGRESS_TIMEOUT", [807, 607], .timedOut), ("INVALID_GATEWAY", [808, 608], .congestion),
        ("GATEWAY_DOWN", [809, 609], .congestion), ("INVALID_URL", [810, 610], .notFound),
        ("INVALID_PROFILE", [811, 611], .failed), ("NO_PICKUP", [812, 612], .noAnswer),
        ("SRTP_READ_ERROR", [813, 613], .failed),
        ("BUSY_EVERYWHERE", [815], .busy), ("DECLINE", [816], .declined),
    ]

    /// Reads the cause in a server's BYE. The name wins over the number, as in FreeSWITCH. If both are unknown, the SIP
    /// status decides.
    /// - Parameter wasRinging: Whether it ends a call to us that nobody here had answered. Only such a call can be
    ///   answered elsewhere.
    init(cause: String?, code: Int?, sipCode: Int?, sipReason: String?, wasRinging: Bool) {
        let row = Self.row(cause, code)
        var reason = row?.reason ?? Self.reason(ofSIP: sipCode) ?? .failed
        if reason == .answeredElsewhere, !wasRinging { reason = .hungUp }
        self.init(reason, cause: cause, code: code, sipCode: sipCode, sipReason: sipReason)
    }

    /// The row of a cause. Its name is read in any case, and with spaces.
    private static func row(_ cause: String?, _ code: Int?) -> (name: String, codes: [Int], reason: VertoEndReason)? {
        let name = cause.map { String($0.uppercased().map { $0 == " " ? "_" : $0 }) }
        return table.first { $0.name == name } ?? table.first { code.map($0.codes.contains) ?? false }
    }

    /// The SIP statuses that FreeSWITCH uses for its causes, by their numbers.
    private static let statuses: [Int: Int] = [
        1: 404, 2: 404, 3: 404, 17: 486, 18: 408, 19: 480, 20: 480, 21: 603, 22: 410, 27: 502, 28: 484, 31: 480,
        34: 503,
        38: 503, 41: 503, 42: 503, 44: 503, 57: 403, 58: 488, 65: 488, 88: 488, 102: 504, 127: 500, 487: 487, 802: 504,
        803: 403, 806: 480, 807: 504, 808: 484, 809: 503, 810: 484, 815: 600, 816: 603,
    ]

    /// The corresponding SIP status: that of the leg behind the server, else that of the cause. Nil: unknown.
    public var status: Int? {
        if let sipCode, (300...699).contains(sipCode) { return sipCode }
        return Self.row(cause, code)?.codes.first.flatMap { Self.statuses[$0] }
    }

    /// The server's cause, for people: `USER_NOT_REGISTERED (806), SIP 480 Temporarily Unavailable`. Nil: none given.
    public var words: String? {
        let number = code.map { cause == nil ? "cause \($0)" : " (\($0))" } ?? ""
        let status = sipCode.map { code in "SIP \(code)" + (sipReason.map { " \($0)" } ?? "") }
        let parts = [(cause ?? "") + number, status ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func reason(ofSIP code: Int?) -> VertoEndReason? {
        switch code {
        case 200: .hungUp
        case 404, 410, 484, 604: .notFound
        case 486, 600: .busy
        case 408, 504: .timedOut
        case 480: .unavailable
        case 403: .forbidden
        case 603: .declined
        case 487: .cancelled
        case 415, 488, 606: .incompatible
        case 500, 502, 503: .congestion
        default: nil
        }
    }
}

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
