import Base

/// Delays an address that sends wrong tokens, longer each time.
///
/// While an address must wait, only tokens that were used from there before are still accepted: see `UsedTokens`. The
/// log gets one report.
package struct GuessGuard {
    /// Wrong tokens before an address must wait.
    package static let freeGuesses = 5
    package static let longestWait = Duration.seconds(60)
    /// The number of remembered addresses. The one that was quiet longest is forgotten first.
    package static let limit = 256
    /// After this quiet time, an address starts from zero.
    private static let memory = Duration.seconds(600)

    private struct Guesses {
        var wrong = 0
        var until: Instant
    }

    private var guesses = SourceTable<[UInt8], Guesses>(limit: limit)

    package var count: Int { guesses.count }

    package init() {}

    /// How long this address must still wait; nil: it may try.
    package func wait(of address: [UInt8], at now: Instant) -> Duration? {
        guard let until = guesses[address]?.until, until > now else { return nil }
        return until - now
    }

    /// - Returns: Whether the address must now wait for the first time.
    package mutating func noteWrong(from address: [UInt8], at now: Instant) -> Bool {
        var known = guesses[address] ?? Guesses(until: now)
        if let last = guesses.last(of: address), now - last > Self.memory { known.wrong = 0 }
        known.wrong += 1
        let excess = known.wrong - Self.freeGuesses
        if excess >= 0 { known.until = now + min(Self.longestWait, .seconds(1 << min(excess, 6))) }
        guesses.note(known, of: address, at: now)
        return excess == 0
    }
}
