import Base
import RTPCore
import SoundCore
import Synchronization

/// A call's voice on its way from the network thread's ring to the ear. For the audio thread: allocates nothing after
/// `init`.
struct VoiceReceiver: ~Copyable {
    private var path: PlayoutPath<VoiceDecoder>
    private var payloadType: UInt8 = 0

    init(settings: MediaSettings) throws(MediaError) {
        var configuration = JitterBuffer.Configuration(clockRate: SoundFormat.sampleRate)
        configuration.minimumDelay = settings.shortestBuffer
        configuration.maximumDelay = settings.longestBuffer
        configuration.payloadLimit = PacketRing.payloadLimit
        configuration.usesForwardCorrection = true
        path = PlayoutPath(configuration, decoder: try VoiceDecoder())
    }

    /// The terms have changed, or are the first. Another codec is another stream.
    mutating func apply(_ negotiated: PreparedMedia) {
        payloadType = negotiated.receivePayloadType
        let codec = negotiated.codec
        guard codec != path.decoder.codec else { return }
        path.decoder.use(codec)
        path.change(to: codec.concealment, usesForwardCorrection: codec.usesForwardCorrection)
    }

    /// The call gets the ear (again).
    mutating func restart(_ rxQueue: borrowing PacketRing) {
        while rxQueue.pop({ _, _ in }) {}
        path.restart()
    }

    /// Takes in what the network thread has put into the ring.
    mutating func collect(_ rxQueue: borrowing PacketRing) {
        while rxQueue.pop({ packet, bytes in
            // The network thread learns of new terms a little later: what it let in by the old ones is over.
            guard packet.payloadType == payloadType else { return }
            let header = RTPHeader(
                payloadType: packet.payloadType, sequence: packet.sequence, timestamp: packet.timestamp,
                source: packet.source)
            path.insert(header, ticks: packet.ticks, payload: bytes, at: Instant(nanoseconds: packet.arrival))
        }) {}
    }

    /// Fills all of `output` with the sound that is due.
    mutating func render(into output: inout MutableSpan<Int16>, _ counters: MediaCounters, at now: Instant) {
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
