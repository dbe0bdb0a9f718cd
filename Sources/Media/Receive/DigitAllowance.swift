import Base

/// Limits the digits that a far end may press: one in 40 ms, which is faster than any person. 16 may come at once,
/// because a stalled network delivers several together. Further digits are not reported, so that a flood does not keep
/// the phone busy.
struct DigitAllowance: Sendable {
    private static let interval = Duration.milliseconds(40)
    private static let burst = 16

    /// When all reported digits would have been pressed.
    private var end = Instant.zero

    mutating func admits(at now: Instant) -> Bool {
        let next = max(end, now) + Self.interval
        guard next - now <= Self.interval * Self.burst else { return false }
        end = next
        return true
    }
}
