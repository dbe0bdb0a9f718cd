import Base

/// The time of the next RTCP report, RFC 3550 §6.2 and §6.3.1 for the two members of a call.
///
/// With two members the interval is always the minimum of 5 s. It is randomized from half to one and a half times its
/// length, so that the reports of many calls do not coincide. The caller supplies the random numbers.
public struct RTCPSchedule: Equatable, Sendable {
    public static let minimumInterval = Duration.seconds(5)
    /// e - 3/2 in millionths. It compensates for the bias of the randomized timer (RFC 3550 §6.3.1).
    private static let compensationMicro: Int64 = 1_218_282

    public private(set) var due: Instant

    /// The first report comes after half the interval.
    public init(start: Instant, random: UInt32) { due = start + Self.interval(random: random) / 2 }

    /// True once when a report is due; the next one is then scheduled from `now`.
    public mutating func isDue(at now: Instant, random: @autoclosure () -> UInt32) -> Bool {
        guard now >= due else { return false }
        due = now + Self.interval(random: random())
        return true
    }

    /// 2.05 to 6.16 s.
    private static func interval(random: UInt32) -> Duration {
        let base = minimumInterval.nanoseconds
        let spread = base / 2 + (base >> 16) * Int64(random >> 16)
        return .nanoseconds(spread / compensationMicro * 1_000_000)
    }
}
