import Base

/// Stands in for the clock of a device that is not there: a call's packets go on, and its jitter buffer is emptied.
struct Pacer: Sendable {
    /// Quanta that are caught up on; after a longer pause time starts anew.
    private static let backlog = 10

    private let period: Duration
    private(set) var due: Instant?

    init(period: Duration) { self.period = period }

    /// A device keeps time, or nobody needs it.
    mutating func stop() { due = nil }

    /// True once for each period that has passed.
    mutating func tick(at now: Instant) -> Bool {
        guard let due else {
            self.due = now + period
            return false
        }
        guard now >= due else { return false }
        let isFarBehind = now - due > period * Self.backlog
        self.due = isFarBehind ? now + period : due + period
        return true
    }
}
