import Base
import RTPCore
import SoundCore
import Synchronization

/// Turns the packets in the network thread's ring into a call's voice for the earpiece. For the audio thread: allocates
/// nothing after `init`.
struct VoiceReceiver: ~Copyable {
    private var path: PlayoutPath<VoiceDecoder>
    /// The formats that the far end may send. Before the first terms no packet is inserted.
    private var formats: VoiceFormats?

    init(settings: MediaSettings) throws(MediaError) {
        var configuration = JitterBuffer.Configuration(clockRate: SoundFormat.sampleRate)
        configuration.minimumDelay = settings.shortestBuffer
        configuration.maximumDelay = settings.longestBuffer
        configuration.payloadLimit = VoiceRing.payloadLimit
        configuration.usesForwardCorrection = true
        path = PlayoutPath(configuration, decoder: try VoiceDecoder(complexity: settings.opusComplexity))
    }

    /// Applies the first or changed terms. If the current codec is not among them, a new stream begins. Otherwise the
    /// packets' payload types select the codec.
    mutating func apply(_ negotiated: PreparedMedia) { apply(negotiated.formats, beginningWith: negotiated.codec) }

    mutating func apply(_ formats: VoiceFormats, beginningWith codec: VoiceCodec) {
        guard formats != self.formats else { return }
        let goesOn = self.formats != nil && formats.contains(path.decoder.codec)
        self.formats = formats
        path.decoder.formats = formats
        guard !goesOn, codec != path.decoder.codec else { return }
        path.decoder.use(codec)
        path.change(to: codec.concealment, usesForwardCorrection: codec.usesForwardCorrection)
    }

    /// Drops all buffered sound, because the call gets the sound (again).
    mutating func restart(_ rxQueue: borrowing VoiceRing) {
        while rxQueue.pop({ _, _ in }) {}
        path.restart()
    }

    /// Takes the packets from the network thread's ring, then fills all of `output` with the sound that is due.
    /// - Parameter burst: the samples that the device takes now.
    mutating func render(
        from rxQueue: borrowing VoiceRing, into output: inout MutableSpan<Int16>, _ burst: JitterBuffer.DeviceBurst,
        _ counters: MediaCounters, at now: Instant
    ) {
        path.meet(burst)
        while rxQueue.pop({ packet, bytes in
            // The network thread gets new terms a little later. Drop packets that it accepted under the old terms.
            guard formats?.codec(of: packet.payloadType) != nil else { return }
            let header = RTPHeader(
                payloadType: packet.payloadType, sequence: packet.sequence, timestamp: packet.timestamp,
                source: packet.source)
            path.insert(header, ticks: packet.ticks, payload: bytes, at: Instant(nanoseconds: packet.arrival))
        }) {}
        path.render(into: &output, at: now)
        let undecodable = path.takeUndecodable()
        if undecodable > 0 { counters.undecodable.wrappingAdd(undecodable, ordering: .relaxed) }
    }

    func publish(to gauges: CallGauges) {
        let statistics = path.buffer.statistics
        gauges.concealedTicks.store(Int(statistics.counters.concealedTicks), ordering: .relaxed)
        gauges.playedTicks.store(Int(statistics.counters.playedTicks), ordering: .relaxed)
        gauges.pattern.store(statistics.pattern)
        gauges.bufferMicroseconds.store(Int(statistics.delayMilliseconds * 1_000), ordering: .relaxed)
    }
}

/// Limits the digits that a far end may press: one in 40 ms, which is faster than any person. 16 may come at once,
/// because a stalled network delivers several together. Further digits are not reported, so that a flood does not keep
/// the phone busy.
struct DigitAllowance: Sendable {
    private static let interval = Duration.milliseconds(40)
    private static let burst = 16

    /// When all reported digits would have been pressed.
    private var end = Instant.zero

    mutating func admits(at now: Instant) -> Bool {
        let next = max(end, now) + Self.interval
        guard next - now <= Self.interval * Self.burst else { return false }
        end = next
        return true
    }
}
