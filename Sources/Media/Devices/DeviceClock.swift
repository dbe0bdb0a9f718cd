import Base
import RTPCore
import SoundCore

/// Tells whether a device keeps time. ALSA's `null`, alone or behind a plug-in, takes and gives any number of samples at
/// once. It would drive the audio thread without a pause, at real-time priority, and flood the far end.
///
/// Cost: O(1), no allocation.
struct DeviceClock: Sendable {
    /// A second is judged by itself, so that a clock that runs a little fast never counts as none.
    private static let window = Duration.seconds(1)
    /// Samples beyond those that time and the buffer allow. No stall of the machine makes a device that has a clock
    /// give them.
    private static let surplus = SoundFormat.sampleRate

    private let buffer: Int
    private var began: Instant
    private var moved = 0
    /// The device has no clock. This stays so until it is opened again.
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
