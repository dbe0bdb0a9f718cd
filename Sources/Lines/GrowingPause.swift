import NIOCore

/// How long to wait before the next attempt: twice as long after each that failed, up to a limit.
struct GrowingPause {
    let first: TimeAmount
    let longest: TimeAmount
    /// In a row.
    var failures = 0

    /// More would be longer than any limit, and overflow at last.
    private static let mostDoublings = 16

    /// Another attempt has failed.
    mutating func next() -> TimeAmount {
        defer { failures += 1 }
        return min(longest, first * (1 << min(failures, Self.mostDoublings)))
    }
}
