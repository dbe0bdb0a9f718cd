import Base
import RTPCore
import SoundCore

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
