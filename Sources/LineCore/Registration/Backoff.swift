import Base

/// Pauses between attempts to reach the account's server.
extension LineContext {
    /// The longest pause between two attempts, in seconds (RFC 5626 §4.5).
    private static let longestBackoff: Int64 = 1_800

    /// A pause that doubles with each attempt that failed, and that is not the same for two phones: between half of it
    /// and all of it (RFC 5626 §4.5).
    /// - Parameter first: Seconds of the first one at most.
    mutating func backoff(from first: Int64, after failures: Int) -> Duration {
        let longest = min(Self.longestBackoff, first << min(failures, 12)) * 1_000
        return .milliseconds(Int64.random(in: longest / 2...longest, using: &generator))
    }
}
