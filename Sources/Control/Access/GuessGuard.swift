import Base

/// Lets an address that shows wrong tokens wait, longer each time.
///
/// While an address waits, what it shows is compared with no token but those that opened something from there before:
/// see `UsedTokens`. The log is told of it once.
package struct GuessGuard {
    /// Wrong tokens before an address has to wait.
    package static let freeGuesses = 5
    package static let longestWait = Duration.seconds(60)
    /// Addresses that are remembered. The one that was quiet for the longest time is forgotten first.
    package static let limit = 256
    /// An address that was quiet for this time starts anew.
    private static let memory = Duration.seconds(600)

    private struct Entry {
        var wrong = 0
        var last: Instant
        var until: Instant
    }

    private var entries: [[UInt8]: Entry] = [:]

    package var count: Int { entries.count }

    package init() {}

    /// How long this address has to wait; nil: it may try.
    package func wait(of address: [UInt8], at now: Instant) -> Duration? {
        guard let until = entries[address]?.until, until > now else { return nil }
        return until - now
    }

    /// - Returns: Whether the address has to wait for the first time.
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
