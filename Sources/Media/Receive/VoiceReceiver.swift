import Base
import RTPCore
import SoundCore
import Synchronization

/// From the ring to the ear: jitter buffer, decoder with repair and concealment, fade, stretching, and the resampling
/// that two clocks need. For the audio thread: allocates nothing after `init`.
struct VoiceReceiver: ~Copyable {
    private var buffer: JitterBuffer
    private var decoder: VoiceDecoder
    private var payloadType: UInt8 = 0
    private var fade = ConcealmentFade(of: .lasting)
    private var stretcher = TimeStretcher()
    private var resampler = GlidingResampler()
    private let payload = Workspace<UInt8>(count: PacketRing.payloadLimit, filler: 0)
    /// Decoded sound that has not been played: `start..<end`.
    private let sound = Workspace<Int16>(
        count: VoiceDecoder.sampleLimit + TimeStretcher.longestPeriod, filler: 0)
    private var start = 0
    private var end = 0

    init(settings: MediaSettings) throws(MediaError) {
        var configuration = JitterBuffer.Configuration(clockRate: SoundFormat.sampleRate)
        configuration.minimumDelay = settings.shortestBuffer
        configuration.maximumDelay = settings.longestBuffer
        configuration.payloadLimit = PacketRing.payloadLimit
        configuration.usesForwardCorrection = true
        decoder = try VoiceDecoder()
        buffer = JitterBuffer(configuration)
    }

    /// The terms have changed, or are the first. Another codec is another stream.
    mutating func apply(_ negotiated: PreparedMedia) {
        payloadType = negotiated.receivePayloadType
        guard negotiated.codec != decoder.codec else { return }
        decoder.use(negotiated.codec)
        fade.concealment = negotiated.codec.concealment
        buffer.reset(usesForwardCorrection: negotiated.codec.usesForwardCorrection)
        (start, end) = (0, 0)
    }

    /// The call gets the ear (again): what waited is old.
    mutating func restart(_ rxQueue: borrowing PacketRing) {
        while rxQueue.pop({ _, _ in }) {}
        buffer.reset()
        fade = ConcealmentFade(of: decoder.codec.concealment)
        (start, end) = (0, 0)
    }

    /// Takes in what the network thread has put into the ring.
    mutating func collect(_ rxQueue: borrowing PacketRing) {
        while rxQueue.pop({ packet, bytes in
            // The network thread learns of new terms a little later: what it let in by the old ones is over.
            guard packet.payloadType == payloadType else { return }
            let header = RTPHeader(
                payloadType: packet.payloadType, sequence: packet.sequence, timestamp: packet.timestamp,
                source: packet.source)
            if packet.ticks == 0 {
                buffer.insertVoiceless(header)
            } else {
                _ = buffer.insert(
                    header, ticks: packet.ticks, payload: bytes, at: Instant(nanoseconds: packet.arrival))
            }
        }) {}
    }

    /// Fills all of `output` with the sound that is due.
    mutating func render(into output: inout MutableSpan<Int16>, _ counters: MediaCounters, at now: Instant) {
        resampler.set(correction: buffer.correction)
        var place = 0
        while place < output.count {
            if start == end { refill(wanted: output.count - place, of: output.count, counters, at: now) }
            let played = sound.read(start..<end) { resampler.run($0, into: &output, from: place) }
            start += played.taken
            place = played.place
        }
    }

    func publish(to gauges: CallGauges) {
        let statistics = buffer.statistics
        gauges.concealedTicks.store(Int(statistics.counters.concealedTicks), ordering: .relaxed)
        gauges.playedTicks.store(Int(statistics.counters.playedTicks), ordering: .relaxed)
        gauges.pattern.store(statistics.pattern)
        gauges.bufferMicroseconds.store(Int(statistics.delayMilliseconds * 1_000), ordering: .relaxed)
    }

    private mutating func refill(wanted: Int, of quantum: Int, _ counters: MediaCounters, at now: Instant) {
        start = 0
        switch take(wanted, of: quantum, at: now) {
        case .decode(let frame):
            finish(decode(frame), lasting: frame.ticks, isInvented: false, counters)
            stretch(by: frame.stretch, at: now)
        case .recover(let frame):
            finish(recover(frame), lasting: frame.ticks, isInvented: false, counters)
            stretch(by: 0, at: now)
        case .conceal(let ticks), .silence(let ticks):
            // Nothing to hear is invented like something lost: it fades into the noise of the room. Decoders invent
            // in whole steps.
            let step = OpusDecoder.concealmentStep
            let piece = max(OpusDecoder.shortestConcealment, (ticks + step - 1) / step * step)
            let whole = fade.isOver ? ticks : piece
            finish(nil, lasting: whole, isInvented: true, counters)
            buffer.invented(end, at: now)
            stretch(by: 0, at: now)
        }
    }

    private mutating func take(_ wanted: Int, of quantum: Int, at now: Instant) -> JitterBuffer.Decision {
        payload.write(payload.all) { buffer.take(wanted, of: quantum, at: now, into: &$0) }
    }

    private mutating func decode(_ frame: JitterBuffer.Frame) -> Int? {
        payload.read(0..<frame.count) { bytes in
            sound.write(0..<VoiceDecoder.sampleLimit) { decoder.decode(bytes, into: &$0) }
        }
    }

    private mutating func recover(_ frame: JitterBuffer.Frame) -> Int? {
        payload.read(0..<frame.count) { bytes in
            sound.write(sound.all) { decoder.recover(frame.ticks, from: bytes, into: &$0) }
        }
    }

    /// What was decoded becomes what is played. Nothing decoded is invented instead; what cannot be invented either
    /// is silence.
    private mutating func finish(_ decoded: Int?, lasting ticks: Int, isInvented: Bool, _ counters: MediaCounters) {
        if let decoded {
            end = decoded
        } else {
            if !isInvented { counters.undecodable.count() }
            // What nobody would hear need not be invented.
            let count = fade.isOver ? nil : sound.write(sound.all) { decoder.conceal(ticks, into: &$0) }
            if let count, count >= ticks { end = count } else { fill(from: count ?? 0, to: ticks) }
        }
        sound.write(0..<end) { fade.apply(to: &$0, isInvented: decoded == nil) }
    }

    /// Every frame passes the stretcher, so that it knows what came before.
    private mutating func stretch(by wish: Int, at now: Instant) {
        let count = end
        end = sound.write(sound.all) { stretcher.apply(wish, to: &$0, count: count) }
        buffer.stretched(by: end - count, at: now)
    }

    /// Silence from one sample to another, which is then the end. The jitter buffer's ticks fit into `sound`.
    private mutating func fill(from first: Int, to last: Int) {
        end = min(max(1, last), VoiceDecoder.sampleLimit)
        for index in min(first, end)..<end { sound[index] = 0 }
    }
}
