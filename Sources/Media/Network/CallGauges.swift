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
    /// Written by the audio thread. While it is false, arriving voice is dropped.
    let isHeard = Atomic<Bool>(false)
    /// Written by the network thread: it has reported that the far end is silent.
    let isSilent = Atomic<Bool>(false)
    /// Written by the thread that has the voice: samples per packet of the far end.
    let farPacketSamples: Atomic<Int>
    /// Written by the thread that has the voice: see `tellLatched`.
    private let latched = Atomic<UInt64>(0)
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

    /// - Parameter packetSamples: Samples per packet of the far end until its first packet.
    init(packetSamples: Int) { farPacketSamples = Atomic(packetSamples) }

    /// Publishes the port from which the far end's valid packets come, if there were any. It counts only for the terms
    /// with this `PreparedMedia.addressNumber`.
    func tellLatched(_ port: UInt16?, of addressNumber: UInt32) {
        let isKnown: UInt64 = port == nil ? 0 : 1 << 16
        latched.store(UInt64(addressNumber) << 32 | isKnown | UInt64(port ?? 0), ordering: .relaxed)
    }

    func latchedPort(of addressNumber: UInt32) -> UInt16? {
        let value = latched.load(ordering: .relaxed)
        guard value >> 32 == UInt64(addressNumber), value >> 16 & 1 == 1 else { return nil }
        return UInt16(truncatingIfNeeded: value)
    }

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

/// The pattern of missing packets, from the audio thread to the network thread, one figure at a time. Each figure only
/// grows. Figures that are read during a change may differ by a packet, which is acceptable for ratios.
struct PatternGauge: ~Copyable {
    private let heard = Atomic<Int>(0)
    private let missing = Atomic<Int>(0)
    private let discarded = Atomic<Int>(0)
    private let rows = Atomic<Int>(0)
    private let bursts = Atomic<Int>(0)
    private let burstPackets = Atomic<Int>(0)
    private let burstMissing = Atomic<Int>(0)

    borrowing func store(_ counts: LossPattern.Counts) {
        heard.store(Int(counts.heard), ordering: .relaxed)
        missing.store(Int(counts.missing), ordering: .relaxed)
        discarded.store(Int(counts.discarded), ordering: .relaxed)
        rows.store(Int(counts.rows), ordering: .relaxed)
        bursts.store(Int(counts.bursts), ordering: .relaxed)
        burstPackets.store(Int(counts.burstPackets), ordering: .relaxed)
        burstMissing.store(Int(counts.burstMissing), ordering: .relaxed)
    }

    borrowing func load() -> LossPattern.Counts {
        var counts = LossPattern.Counts()
        counts.heard = Int64(heard.load(ordering: .relaxed))
        counts.missing = Int64(missing.load(ordering: .relaxed))
        counts.discarded = Int64(discarded.load(ordering: .relaxed))
        counts.rows = Int64(rows.load(ordering: .relaxed))
        counts.bursts = Int64(bursts.load(ordering: .relaxed))
        counts.burstPackets = Int64(burstPackets.load(ordering: .relaxed))
        counts.burstMissing = Int64(burstMissing.load(ordering: .relaxed))
        return counts
    }
}
