import Base

/// Pauses between attempts to reach the account's server.
extension LineContext {
    /// The longest pause between two attempts, in seconds (RFC 5626 §4.5).
    private static let longestBackoff: Int64 = 1_800

    /// A pause that doubles with each failed attempt. It is random, between half of the longest pause and all of it, so
    /// that two phones do not keep in step (RFC 5626 §4.5).
    /// - Parameter first: The longest first pause, in seconds.
    mutating func backoff(from first: Int64, after failures: Int) -> Duration {
        let longest = min(Self.longestBackoff, first << min(failures, 12)) * 1_000
        return .milliseconds(Int64.random(in: longest / 2...longest, using: &generator))
    }
}
