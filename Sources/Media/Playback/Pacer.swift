import Base

/// Replaces the clock of a missing device, so that a call still sends packets and empties its jitter buffer.
struct Pacer: Sendable {
    /// Limit of missed quanta that are made up for. After a longer pause time starts again.
    private static let backlog = 10

    private let period: Duration
    private(set) var due: Instant?

    init(period: Duration) { self.period = period }

    /// Stops, because a device keeps time or the call needs no time.
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
