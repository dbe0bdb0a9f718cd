import PhoneCore
import SoundCore
import Synchronization

/// The volumes of calls and of the ring for the local user, and whether calls are paused. The control thread sets them;
/// the threads that play read them. They are not messages, because only the newest value counts and none may be lost.
final class VolumeControl: Sendable {
    /// The call volume at which the gain is 0 dB.
    private static let unchanged = 7
    /// The ring volume at which the gain is 0 dB. It is the highest, because rings are generated loud.
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

    /// The gain of calls at the earpiece.
    var playback: Float {
        isPaused.load(ordering: .relaxed) ? GainRamp.closed : pages
    }

    /// The gain of pages, which are as loud as calls. Pages play while they pause calls.
    var pages: Float { Self.gain(callVolume.load(ordering: .relaxed), above: Self.unchanged) }

    /// The gain of the ringer.
    var ringer: Float { Self.gain(ringVolume.load(ordering: .relaxed), above: Self.unchangedRing) }

    /// The gain of everything that far ends hear: the microphone, played files, and each other.
    var farEnds: Float { isPaused.load(ordering: .relaxed) ? GainRamp.closed : GainRamp.open }

    private static func gain(_ volume: Int, above unchanged: Int) -> Float {
        volume > 0 ? Float(Decibels.gain(Double(volume - unchanged) * decibelsPerStep)) : GainRamp.closed
    }
}
