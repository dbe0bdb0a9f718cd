import Base

/// A 64-bit NTP time stamp: seconds and 2⁻³² fractions, RFC 3550 §4.
///
/// It counts from the origin of the monotonic clock, not from 1900. RFC 3550 §6.4.1 allows elapsed time, and the peer
/// only returns the value to us. The monotonic clock is used because a wall clock that the network sets could make
/// round trips negative.
public struct NTPTime: Equatable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public init(_ instant: Instant) {
        let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let fraction = (UInt64(bitPattern: rest) << 32) / 1_000_000_000
        rawValue = UInt64(bitPattern: seconds) << 32 | (rest < 0 ? 0 : fraction)
    }

    /// The middle 32 bits, in 1/65,536 s, as the LSR field repeats them.
    public var middle: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }

    /// The round trip from a report block that arrives at `now`: `A - LSR - DLSR`, RFC 3550 §6.4.1.
    /// - Returns: Nil if the peer had not received our report. Also nil if its values are wrong and the result would be
    ///   negative or above `longestRoundTrip`.
    public static func roundTrip(of block: ReportBlock, at now: Instant) -> Duration? {
        roundTrip(since: block.lastSenderReport, less: block.delaySinceLastSenderReport, at: now)
    }

    /// The round trip from the answer to our reference time: `A - LRR - DLRR`, RFC 3611 §4.5.
    public static func roundTrip(of report: DLRRReport, at now: Instant) -> Duration? {
        roundTrip(since: report.lastReference, less: report.delay, at: now)
    }

    private static func roundTrip(since middle: UInt32, less delay: UInt32, at now: Instant) -> Duration? {
        guard middle != 0 else { return nil }
        let units = NTPTime(now).middle &- middle &- delay
        // On a fast network, clock granularity may make the result slightly negative. Up to 10 ms count as 0.
        if Int32(bitPattern: units) < 0 { return Int32(bitPattern: units) > -655 ? .zero : nil }
        let trip = Duration.nanoseconds(Int64(units) * 1_000_000_000 / 65_536)
        return trip <= longestRoundTrip ? trip : nil
    }

    /// Converts a duration to 1/65,536 s, the unit of reported delays.
    static func units(of duration: Duration) -> UInt32 {
        let seconds = duration.nanoseconds / 1_000_000_000
        let rest = duration.nanoseconds % 1_000_000_000
        return UInt32(clamping: seconds << 16 + rest << 16 / 1_000_000_000)
    }

    public static let longestRoundTrip = Duration.seconds(30)
}
