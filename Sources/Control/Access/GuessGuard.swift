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

    private struct Entry {
        var wrong = 0
        var last: Instant
        var until: Instant
    }

    private var entries: [[UInt8]: Entry] = [:]

    package var count: Int { entries.count }

    package init() {}

    /// How long this address must still wait; nil: it may try.
    package func wait(of address: [UInt8], at now: Instant) -> Duration? {
        guard let until = entries[address]?.until, until > now else { return nil }
        return until - now
    }

    /// - Returns: Whether the address must now wait for the first time.
    package mutating func noteWrong(from address: [UInt8], at now: Instant) -> Bool {
        var entry = entries[address] ?? Entry(last: now, until: now)
        if now - entry.last > Self.memory { entry.wrong = 0 }
        entry.wrong += 1
        entry.last = now
        let excess = entry.wrong - Self.freeGuesses
        if excess >= 0 { entry.until = now + min(Self.longestWait, .seconds(1 << min(excess, 6))) }
        if entries[address] == nil { makeRoom() }
        entries[address] = entry
        return excess == 0
    }

    private mutating func makeRoom() {
        guard entries.count >= Self.limit, let quietest = entries.min(by: { $0.value.last < $1.value.last }) else {
            return
        }
        entries[quietest.key] = nil
    }
}
