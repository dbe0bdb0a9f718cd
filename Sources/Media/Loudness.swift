import PhoneCore
import SoundCore
import Synchronization

/// How loud calls are for the person here, and whether they are heard at all. Set by the control thread, read by the
/// audio thread; no messages, because the newest order is all that counts and none may get lost.
final class Loudness: Sendable {
    /// At this volume the ear hears calls as they came.
    private static let unchanged = 7
    private static let decibelsPerStep = 3.0

    private let isPaused = Atomic<Bool>(false)
    private let callVolume = Atomic<Int>(PhoneSettings().callVolume)

    func pause(_ isPaused: Bool) { self.isPaused.store(isPaused, ordering: .relaxed) }

    /// - Precondition: 0...`PhoneSettings.loudest`.
    func setCallVolume(_ volume: Int) {
        precondition((0...PhoneSettings.loudest).contains(volume), "a volume is 0 to \(PhoneSettings.loudest)")
        callVolume.store(volume, ordering: .relaxed)
    }

    /// The factor on what a call brings to the ear.
    var ear: Float {
        let volume = callVolume.load(ordering: .relaxed)
        guard volume > 0, !isPaused.load(ordering: .relaxed) else { return GainRamp.closed }
        return Float(Decibels.gain(Double(volume - Self.unchanged) * Self.decibelsPerStep))
    }

    /// The factor on what far ends hear: the microphone, and each other.
    var farEnds: Float { isPaused.load(ordering: .relaxed) ? GainRamp.closed : GainRamp.open }
}
