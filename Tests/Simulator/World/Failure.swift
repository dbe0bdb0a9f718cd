import Base

/// A broken rule, with all data needed to see it again.
package struct Failure: Error, Sendable, CustomStringConvertible {
    package let seed: UInt64
    /// The number of the phone; nil if the world itself is wrong.
    package let phone: String?
    package let rule: String
    package let at: Instant
    /// The last events, oldest first.
    package let story: [String]

    /// How many lines of the story are printed.
    package static let told = 60

    package var description: String {
        let who = phone.map { "phone \($0)" } ?? "the world"
        return "seed \(seed), at \(at.nanoseconds / 1_000_000) ms, \(who): \(rule)\n"
            + story.suffix(Self.told).joined(separator: "\n")
    }
}
