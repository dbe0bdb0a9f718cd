import NIOCore

/// The pause before the next attempt. It doubles after each failed attempt, up to a limit.
struct GrowingPause {
    let first: TimeAmount
    let longest: TimeAmount
    /// Consecutive failures.
    var failures = 0

    /// More doublings would exceed any limit, and would overflow in the end.
    private static let mostDoublings = 16

    /// Counts another failed attempt, and returns the pause after it.
    mutating func next() -> TimeAmount {
        defer { failures += 1 }
        return min(longest, first * (1 << min(failures, Self.mostDoublings)))
    }
}
