import Base
import RTPCore
import SoundCore

/// Detects a running device that has moved nothing for too long, and is broken.
///
/// Only the time counts in which the audio thread watched the device. While the whole thread was stalled, even between
/// reading the clock and querying the device, nothing is known about the device.
///
/// Cost: O(1), no allocation.
public struct DeviceTimeout: Sendable {
    /// A device that moves nothing for this long is broken.
    private static let limit = Duration.seconds(1)
    /// Each check counts for at most this much time before it. The audio thread checks a silent device ten times a
    /// second.
    private static let longestLook = Duration.milliseconds(200)

    /// When the device last moved samples, or was adopted.
    public private(set) var progress = Instant.zero
    private var looked = Instant.zero
    private var idle = Duration.zero

    public init() {}

    /// The device moved samples, or starts again.
    public mutating func progress(at now: Instant) { (progress, looked, idle) = (now, now, .zero) }

    /// The device was checked and had moved nothing.
    /// - Returns: Whether it is broken.
    public mutating func isOver(at now: Instant) -> Bool {
        idle += min(now - looked, Self.longestLook)
        looked = now
        return idle > Self.limit
    }
}

/// Detects devices that do not keep time. ALSA's `null`, alone or behind a plug-in, takes and gives any number of
/// samples at once. It would drive the audio thread without a pause, at real-time priority, and flood the far end.
///
/// Cost: O(1), no allocation.
struct DeviceClock: Sendable {
    /// Each second counts separately, so that a clock that runs a little fast never counts as missing.
    private static let window = Duration.seconds(1)
    /// Samples beyond what time and the buffer allow. A device with a clock never reaches this, even after a stall of
    /// the machine.
    private static let surplus = SoundFormat.sampleRate

    private let buffer: Int
    private var began: Instant
    private var moved = 0
    /// The device has no clock. Stays true until the device is opened again.
    private(set) var isMissing = false

    /// - Parameter buffer: Samples in the device's buffer.
    init(buffer: Int, at now: Instant) {
        self.buffer = buffer
        began = now
    }

    /// Counts samples that the device gave or took.
    mutating func move(_ count: Int, at now: Instant) {
        if now - began > Self.window { (began, moved) = (now, 0) }
        moved += count
        let passed = Int(MediaClock(rate: SoundFormat.sampleRate).ticks(now - began))
        if moved > passed + buffer + Self.surplus { isMissing = true }
    }
}

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
