import Base

/// Takes the descriptors of a device out of poll while they would only wake the thread in vain.
///
/// ALSA's `pulse` plug-in reports readiness although no samples can be moved yet. A suspended device reports an error
/// until it has resumed. At real-time priority either would starve the thread that supplies the sound. Cost: O(1), no
/// allocation.
package struct DeviceRest: Sendable {
    private static let shortest = Duration.milliseconds(1)
    /// The pause between two attempts to resume a suspended device, and the number of attempts.
    private static let resumePause = Duration.milliseconds(20)
    private static let resumeLimit = 250

    /// The time that one quantum lasts.
    private let period: Duration
    private var pause = shortest
    private var moved = Instant.zero
    private var isWoken = false
    private var attempts = 0
    /// When poll watches the descriptors again; nil: it watches them.
    package private(set) var end: Instant?

    package init(period: Duration) { self.period = period }

    mutating func reset() { self = DeviceRest(period: period) }

    /// Whether poll watches the descriptors.
    package mutating func isOver(at now: Instant) -> Bool {
        if let end, end <= now { self.end = nil }
        return end == nil
    }

    /// Whether the thread may query the device. A suspended device is left alone until the next attempt to resume it.
    package mutating func mayAsk(at now: Instant) -> Bool { attempts == 0 || isOver(at: now) }

    /// The descriptors have woken the thread.
    package mutating func wake() { isWoken = true }

    package mutating func hasMoved(at now: Instant) {
        (moved, pause, isWoken, attempts) = (now, Self.shortest, false, 0)
        end = nil
    }

    /// No samples could be moved. Descriptors that woke the thread in vain are ignored until the next quantum is due.
    /// If that quantum is overdue, they are ignored longer each time, up to one quantum.
    package mutating func hasNothing(at now: Instant) {
        guard isWoken, attempts == 0 else { return }
        isWoken = false
        end = max(now + pause, moved + period)
        pause = min(pause * 2, period)
    }

    /// The device is still suspended.
    /// - Returns: False after five seconds.
    package mutating func isSuspended(at now: Instant) -> Bool {
        attempts += 1
        end = now + Self.resumePause
        return attempts <= Self.resumeLimit
    }
}
