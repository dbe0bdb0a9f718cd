import Base
import SoundCore
import Synchronization

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
            call.voice.entertain(with: &samples, on: call, context, at: now)
        }
    }
}
