import Base
import Platform
import SoundCore
import Synchronization

/// The sound for held far ends, and its way to the audio thread.
final class HoldMusic: Sendable {
    /// 17 MB of memory.
    private static let longestSeconds = 180

    /// Given once. The audio thread repeats it, and never frees it.
    let order: RingOrder
    private let path: String

    /// Nil if held far ends hear nothing.
    init?(_ settings: MediaSettings, audioWake: WakeSignal) {
        guard let path = settings.holdMusic else { return nil }
        (self.path, order) = (path, RingOrder(wake: audioWake))
    }

    /// Reads the file. This takes long, so call it on a thread that may wait for the disk.
    func load(_ notice: (MediaNotice) -> Void) {
        do throws(RingFile.Failure) {
            order.give(.recording(try RingFile.read(path, limit: Self.longestSeconds)))
        } catch {
            notice(.holdMusicUnplayable(file: path, reason: error.description))
        }
    }
}

/// Hold music for far ends that are held here. All of them hear the same part at the same time, as from one radio, so
/// that one player serves any number of calls.
extension AudioEngine {
    /// Renders the next part, if a held far end hears music.
    mutating func renderMusic(_ count: Int) {
        let isWanted = calls.contains { $0.use { $0.gauges.playsMusic.load(ordering: .relaxed) } }
        guard isWanted else { return }
        tune.write(0..<count) { music.render(into: &$0, volume: 1) }
    }

    /// Sends the part to a held far end instead of the microphone, also while another call has the sound.
    func sendMusic(_ count: Int, missed: Int, on call: CallMedia, at now: Instant) {
        if missed > 0 { call.voice.rest(missed) }
        voice.write(0..<count) { samples in
            tune.read(0..<count) { for place in $0.indices { samples[place] = $0[place] } }
            call.voice.entertain(with: &samples, on: call.port, context, at: now)
        }
    }
}
