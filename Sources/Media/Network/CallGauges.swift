import Base
import RTPCore
import SoundCore
import Synchronization

/// Values that the threads of a call share without messages, because only the newest value counts.
final class CallGauges: Sendable {
    /// Written by the control thread. While it is false, the far end hears silence.
    let microphoneIsOpen = Atomic<Bool>(true)
    /// Written by the control thread. While it is true, the far end hears only the hold music.
    let playsMusic = Atomic<Bool>(false)
    /// Written by the audio thread. While it is false, the network thread drops arriving voice.
    let isHeard = Atomic<Bool>(false)
    /// Written by the network thread: the loss to expect at the far end, from its reports.
    let expectedLossPercent = Atomic<Int>(0)
    /// Written by the audio thread, in ticks and microseconds.
    let concealedTicks = Atomic<Int>(0)
    let playedTicks = Atomic<Int>(0)
    let bufferMicroseconds = Atomic<Int>(-1)
    /// Written by the audio thread: the sound that waits in the playback device, as a delay.
    let playbackMicroseconds = Atomic<Int>(0)
    /// Written by the audio thread: the pattern of missing packets.
    let pattern = PatternGauge()

    /// Called by the audio thread.
    /// - Parameter waiting: samples.
    func tellPlayback(waiting: Int) {
        playbackMicroseconds.store(waiting * 1_000 / SoundFormat.samplesPerMillisecond, ordering: .relaxed)
    }

    private let sender = Atomic<WordPair>(WordPair(first: 0, second: 0))
    private let clock = MediaClock(rate: SoundFormat.sampleRate)

    /// Publishes the figures of the next sender report in one piece. The audio thread calls this after each packet.
    func publish(_ stream: RTPSender, at now: Instant) {
        let instant = UInt32(truncatingIfNeeded: clock.ticks(now))
        sender.store(
            WordPair(
                first: UInt(stream.packets) << 32 | UInt(stream.octets),
                second: UInt(stream.timestamp) << 32 | UInt(instant)),
            ordering: .releasing)
    }

    /// The sender information at `now`, in the codec's clock; nil before the first packet.
    func senderInformation(of codec: VoiceCodec, at now: Instant) -> SenderInformation? {
        let pair = sender.load(ordering: .acquiring)
        guard pair.first != 0 else { return nil }
        let samples = UInt32(truncatingIfNeeded: clock.ticks(now)) &- UInt32(truncatingIfNeeded: pair.second)
        let since = samples / UInt32(codec.samplesPerTick)
        return SenderInformation(
            time: NTPTime(now), timestamp: UInt32(truncatingIfNeeded: pair.second >> 32) &+ since,
            packets: UInt32(truncatingIfNeeded: pair.first >> 32), octets: UInt32(truncatingIfNeeded: pair.first))
    }
}
