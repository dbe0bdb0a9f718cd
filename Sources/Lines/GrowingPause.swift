import NIOCore

/// How long to wait before the next attempt: twice as long after each that failed, up to a limit.
struct GrowingPause {
    let first: TimeAmount
    let longest: TimeAmount
    /// Failures in a row.
    var failures = 0

    /// More doublings would be longer than any limit, and would overflow in the end.
    private static let mostDoublings = 16

    /// Counts another failed attempt, and returns the pause after it.
    mutating func next() -> TimeAmount {
        defer { failures += 1 }
        return min(longest, first * (1 << min(failures, Self.mostDoublings)))
    }
}
