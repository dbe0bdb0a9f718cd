import Base

/// When the next RTCP report is due, RFC 3550 §6.2 and §6.3.1 for the two members of a call.
///
/// Two members never need more than the minimum interval of 5 s; it is spread over half to one and a half
/// of itself so that reports of many calls do not march in step. Randomness comes from the caller.
public struct RTCPSchedule: Equatable, Sendable {
    public static let minimumInterval = Duration.seconds(5)
    /// e - 3/2, which makes up for the timer's own bias (RFC 3550 §6.3.1).
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
