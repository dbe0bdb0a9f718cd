import Base
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// How each ring sounds, and the order that it be played.
final class RingBook: Sendable {
    let order: RingOrder
    private let settings: MediaSettings.Ringer
    /// By their paths, and kept for good: whoever plays one never frees it.
    private let recordings = Mutex<[String: [Int16]]>([:])

    /// Nil where nothing rings.
    /// - Parameter audioWake: of the thread that plays rings where a route's device is the ringer.
    init?(_ settings: MediaSettings, audioWake: WakeSignal) throws(MediaError) {
        guard let ringer = settings.ringer else { return nil }
        self.settings = ringer
        order = RingOrder(wake: settings.ringerRoute == nil ? try WakeSignal.make() : audioWake)
    }

    /// Of the threads that wait for orders.
    var wakes: [WakeSignal] { [order.wake] }

    func play(_ ring: Ring?) { order.give(sound(of: ring)) }

    /// Reads the files, each once. Takes long, on a thread that may wait for the disk; what rings meanwhile is generated.
    func load(_ notice: (MediaNotice) -> Void) {
        for path in Set([settings.file].compactMap { $0 } + settings.files.values) {
            do throws(RingFile.Failure) {
                let sound = try RingFile.read(path)
                recordings.withLock { $0[path] = sound }
            } catch {
                notice(.ringUnplayable(file: path, reason: error.description))
            }
        }
    }

    /// A ring with a name that has no file is told from the usual one by its cadence.
    private func sound(of ring: Ring?) -> RingSound {
        guard let ring else { return .nothing }
        let path = ring.name.map { settings.files[$0] } ?? settings.file
        let recording = path.flatMap { path in recordings.withLock { $0[path] } }
        return recording.map { .recording($0) } ?? .tone(ToneSpec(ring: ring.cadence.inMilliseconds))
    }
}

extension PhoneCore.RingCadence {
    /// No phase is so short that it would be none.
    fileprivate var inMilliseconds: SoundCore.RingCadence {
        let milliseconds = phases.map { max(1, Int($0.milliseconds)) }
        guard let cadence = SoundCore.RingCadence(milliseconds: milliseconds) else {
            preconditionFailure("a cadence is pairs of positive durations")
        }
        return cadence
    }
}
