import PhoneCore
import SoundCore
import Synchronization

/// How loud calls and their ring are for the person here, and whether calls are heard at all. Set by the control
/// thread, read by those that play; no messages, because the newest order is all that counts and none may get lost.
final class VolumeControl: Sendable {
    /// At this volume the ear hears calls as they came.
    private static let unchanged = 7
    /// At this volume the ring is as it came: it is made to be loud.
    private static let unchangedRing = PhoneSettings.loudest
    private static let decibelsPerStep = 3.0

    private let isPaused = Atomic<Bool>(false)
    private let callVolume = Atomic<Int>(PhoneSettings().callVolume)
    private let ringVolume = Atomic<Int>(PhoneSettings().ringVolume)

    func pause(_ isPaused: Bool) { self.isPaused.store(isPaused, ordering: .relaxed) }

    /// - Precondition: 0...`PhoneSettings.loudest`.
    func set(_ kind: VolumeKind, _ volume: Int) {
        precondition((0...PhoneSettings.loudest).contains(volume), "a volume is 0 to \(PhoneSettings.loudest)")
        switch kind {
        case .call: callVolume.store(volume, ordering: .relaxed)
        case .ring: ringVolume.store(volume, ordering: .relaxed)
        }
    }

    /// The factor on what a call brings to the ear.
    var playback: Float {
        guard !isPaused.load(ordering: .relaxed) else { return GainRamp.closed }
        return Self.gain(callVolume.load(ordering: .relaxed), above: Self.unchanged)
    }

    /// The factor on what the ringer plays.
    var ringer: Float { Self.gain(ringVolume.load(ordering: .relaxed), above: Self.unchangedRing) }

    /// The factor on what far ends hear: the microphone, and each other.
    var farEnds: Float { isPaused.load(ordering: .relaxed) ? GainRamp.closed : GainRamp.open }

    private static func gain(_ volume: Int, above unchanged: Int) -> Float {
        volume > 0 ? Float(Decibels.gain(Double(volume - unchanged) * decibelsPerStep)) : GainRamp.closed
    }
}
