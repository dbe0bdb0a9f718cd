import Base

/// Every third wrong code of a caller locks the caller's codes, for a time that doubles with each lock.
enum CodeLock {
    static let tries = 3
    /// The most wrong codes that are counted. Beyond this number the time does not grow any more.
    static let mostCounted = 60
    private static let shortest = Duration.seconds(60)
    private static let longest = Duration.seconds(86_400)

    /// How long codes are locked after this number of wrong ones. Nil: they are not locked.
    static func time(after wrong: Int) -> Duration? {
        let locks = wrong / tries
        guard locks > 0 else { return nil }
        return locks > 20 ? longest : min(longest, shortest * (1 << (locks - 1)))
    }
}

/// The wrong codes that callers have dialled, for each relay and each caller on its list.
///
/// A right code forgives one lock, and only of the same caller and relay. So a caller who knows one code gains no tries
/// at another relay, and the right code of another caller gives no new tries. The lists bound the number of counts.
struct CodeTries: Equatable, Codable, Sendable {
    struct Key: Hashable, Codable, Sendable {
        let relay: UInt8
        /// The caller's place on the relay's list. All callers of one entry share its count.
        let caller: Int
    }

    private struct Count: Equatable, Codable, Sendable {
        let key: Key
        var wrong: Int
        var lockedUntil: Instant?
    }

    private var counts: [Count] = []
    /// Wrong codes from a vault that does not name their callers and relays. They count for every caller who has dialled
    /// no wrong code in this run.
    private var before = 0
    private var lockedUntil: Instant?

    /// The most wrong codes that count for anybody.
    var wrong: Int { counts.reduce(before) { max($0, $1.wrong) } }

    /// The counts that are not zero.
    var counted: [(key: Key, wrong: Int)] { counts.filter { $0.wrong > 0 }.map { ($0.key, $0.wrong) } }

    /// When the last lock ends.
    var lastLock: Instant? { counts.reduce(lockedUntil) { .latest($0, $1.lockedUntil) } }

    /// Until when this caller's codes for the relay are locked. Nil: they are not.
    func lock(of key: Key, at now: Instant) -> Instant? {
        let lock = Instant.latest(lockedUntil, counts.first { $0.key == key }?.lockedUntil)
        return lock.flatMap { $0 > now ? $0 : nil }
    }

    /// How many more wrong codes lock this caller's codes for the relay.
    func left(for key: Key) -> Int { CodeLock.tries - wrong(of: key) % CodeLock.tries }

    mutating func addWrong(_ key: Key, at now: Instant) {
        let wrong = min(wrong(of: key) + 1, CodeLock.mostCounted)
        // The count stays at its limit, a multiple of three. So each further wrong code locks for the longest time.
        let time = wrong.isMultiple(of: CodeLock.tries) ? CodeLock.time(after: wrong) : nil
        set(key, wrong, lockedUntil: time.map { now + $0 })
    }

    mutating func forgive(_ key: Key) {
        let wrong = wrong(of: key)
        if wrong > 0 { set(key, max(0, wrong - CodeLock.tries), lockedUntil: nil) }
        before = max(0, before - CodeLock.tries)
    }

    /// Wrong codes from before the restart still count. The lock starts again, because the time in between is not
    /// known.
    mutating func remember(_ wrong: Int, at now: Instant) {
        before = max(before, wrong)
        for index in counts.indices { counts[index].wrong = max(counts[index].wrong, wrong) }
        if let time = CodeLock.time(after: wrong) { lockedUntil = now + time }
    }

    /// The same for one caller and relay.
    mutating func remember(_ wrong: Int, of key: Key, at now: Instant) {
        let wrong = min(max(wrong, self.wrong(of: key)), CodeLock.mostCounted)
        set(key, wrong, lockedUntil: CodeLock.time(after: wrong).map { now + $0 })
    }

    private func wrong(of key: Key) -> Int { counts.first { $0.key == key }?.wrong ?? before }

    private mutating func set(_ key: Key, _ wrong: Int, lockedUntil: Instant?) {
        let count = Count(key: key, wrong: wrong, lockedUntil: lockedUntil)
        if let index = counts.firstIndex(where: { $0.key == key }) {
            counts[index] = count
        } else {
            counts.append(count)
        }
    }
}

extension Instant {
    /// The later of the two instants, or the only one.
    fileprivate static func latest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }
}
