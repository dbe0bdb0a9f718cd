import Base
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// Finds the sound of each ring and gives the order to play it.
final class RingBook: Sendable {
    let order: RingOrder
    /// Probes the ringer's own thread; nil: a route's device is the ringer, so there is no such thread.
    let probe: ThreadProbe?
    private let settings: MediaSettings.Ringer
    /// The sound of files, by path. They are never removed, so the thread that plays one never frees it.
    private let recordings = Mutex<[String: [Int16]]>([:])

    /// Nil without a ringer.
    /// - Parameter audioWake: wakes the audio thread, which plays rings if a route's device is the ringer.
    init?(_ settings: MediaSettings, audioWake: WakeSignal) throws(MediaError) {
        guard let ringer = settings.ringer else { return nil }
        self.settings = ringer
        let isOwn = settings.ringerRoute == nil
        let wake = isOwn ? try WakeSignal.make() : audioWake
        order = RingOrder(wake: wake)
        probe = isOwn ? ThreadProbe(.mediaRinger) { wake.raise() } : nil
    }

    /// The wake-up signals of the threads that wait for ring orders.
    var wakes: [WakeSignal] { [order.wake] }

    func play(_ ring: Ring?) { order.give(sound(of: ring)) }

    /// Reads each file once. This takes long, so call it on a thread that may wait for the disk. Until it has returned,
    /// rings are generated.
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

    /// A ring with a name that has no file differs from the usual ring by its cadence.
    private func sound(of ring: Ring?) -> RingSound {
        guard let ring else { return .nothing }
        let path = ring.name.map { settings.files[$0] } ?? settings.file
        let recording = path.flatMap { path in recordings.withLock { $0[path] } }
        return recording.map { .recording($0) } ?? .tone(ToneSpec(ring: ring.cadence.inMilliseconds))
    }
}

extension RingCadence {
    /// Each phase has at least 1 ms, so that none disappears.
    fileprivate var inMilliseconds: RingToneCadence {
        let milliseconds = phases.map { max(1, Int($0.milliseconds)) }
        guard let cadence = RingToneCadence(milliseconds: milliseconds) else {
            preconditionFailure("a cadence is pairs of positive durations")
        }
        return cadence
    }
}

/// A sound file that plays repeatedly, as a ring or as hold music, read as a whole.
package enum RingFile {
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case wave(WaveError)
        case tooLong(seconds: Int)
        case empty

        package var description: String {
            switch self {
            case .wave(let error): error.description
            case .tooLong(let seconds): "it is longer than \(seconds) s"
            case .empty: "it contains no sound"
            }
        }
    }

    /// - Parameter limit: the longest duration, in seconds.
    /// - Returns: At least 1 sample. For a thread that may wait for the disk.
    package static func read(_ path: String, limit: Int = 30) throws(Failure) -> [Int16] {
        let longest = limit * SoundFormat.sampleRate
        var sound: [Int16] = []
        do throws(WaveError) {
            var reader = try WaveReader(path: path)
            while case let piece = try reader.read(), !piece.isEmpty, sound.count <= longest { sound += piece }
        } catch {
            throw .wave(error)
        }
        if sound.count > longest { throw .tooLong(seconds: limit) }
        return if sound.isEmpty { throw .empty } else { sound }
    }
}
