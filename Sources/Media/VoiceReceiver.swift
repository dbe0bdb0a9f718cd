import Base
import RTPCore
import SoundCore
import Synchronization

/// From the ring to the ear: jitter buffer, decoder with repair and concealment, fade. For the audio thread: allocates
/// nothing after `init`.
struct VoiceReceiver: ~Copyable {
    private var buffer: JitterBuffer
    private var decoder: VoiceDecoder
    private var payloadType: UInt8 = 0
    private var fade = ConcealmentFade()
    private let payload = Workspace<UInt8>(count: PacketRing.payloadLimit, filler: 0)
    /// Decoded sound that has not been played: `start..<end`.
    private let sound = Workspace<Int16>(count: VoiceDecoder.sampleLimit, filler: 0)
    private var start = 0
    private var end = 0
    private var isQuiet = true

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
    mutating func apply(_ agreement: Agreement) {
        payloadType = agreement.receivePayloadType
        guard agreement.codec != decoder.codec else { return }
        decoder.use(agreement.codec)
        buffer.reset(usesForwardCorrection: agreement.codec.usesForwardCorrection)
        (start, end) = (0, 0)
    }

    /// The call gets the ear (again): what waited is old.
    mutating func restart(_ arrivals: borrowing PacketRing) {
        while arrivals.pop({ _, _ in }) {}
        buffer.reset()
        (start, end) = (0, 0)
    }

    /// Takes in what the network thread has put into the ring.
    mutating func collect(_ arrivals: borrowing PacketRing) {
        while arrivals.pop({ packet, bytes in
            // The network thread learns of new terms a little later: what it let in by the old ones is over.
            guard packet.payloadType == payloadType else { return }
            let header = RTPHeader(
                payloadType: packet.payloadType, sequence: packet.sequence, timestamp: packet.timestamp,
                source: packet.source)
            _ = buffer.insert(
                header, ticks: packet.ticks, payload: bytes, at: Instant(nanoseconds: packet.arrival))
        }) {}
    }

    /// Fills all of `output` with the sound that is due.
    mutating func render(into output: inout MutableSpan<Int16>, _ counters: MediaCounters, at now: Instant) {
        for index in output.indices {
            if start == end { refill(wanted: output.count - index, counters, at: now) }
            output[index] = sound[start]
            start += 1
        }
    }

    func publish(to gauges: CallGauges) {
        let statistics = buffer.statistics
        gauges.concealedTicks.store(Int(statistics.counters.concealedTicks), ordering: .relaxed)
        gauges.playedTicks.store(Int(statistics.counters.playedTicks), ordering: .relaxed)
        gauges.bufferMicroseconds.store(Int(statistics.delayMilliseconds * 1_000), ordering: .relaxed)
    }

    private mutating func refill(wanted: Int, _ counters: MediaCounters, at now: Instant) {
        start = 0
        // The buffer holds finitely many packets, so it skips finitely often.
        while true {
            let decision = take(wanted, at: now)
            switch decision {
            case .skip(let frame):
                _ = decode(frame)
                continue
            case .decode(let frame):
                finish(decode(frame), lasting: frame.ticks, isInvented: false, counters)
            case .recover(let frame):
                finish(recover(frame), lasting: frame.ticks, isInvented: false, counters)
            case .conceal(let ticks), .expand(let ticks):
                finish(nil, lasting: ticks, isInvented: true, counters)
            case .silence(let ticks):
                fill(from: 0, to: ticks)
                isQuiet = true
            }
            return
        }
    }

    private mutating func take(_ wanted: Int, at now: Instant) -> JitterBuffer.Decision {
        payload.write(payload.all) { buffer.take(wanted, at: now, isQuiet: isQuiet, into: &$0) }
    }

    private mutating func decode(_ frame: JitterBuffer.Frame) -> Int? {
        payload.read(0..<frame.count) { bytes in
            sound.write(sound.all) { decoder.decode(bytes, into: &$0) }
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
        var count = decoded
        if count == nil {
            if !isInvented { counters.undecodable.count() }
            count = sound.write(sound.all) { decoder.conceal(ticks, into: &$0) }
        }
        if let count, decoded != nil || count >= ticks { end = count } else { fill(from: count ?? 0, to: ticks) }
        sound.write(0..<end) { played in
            fade.apply(to: &played, isInvented: decoded == nil)
            isQuiet = Level(of: played.span).isQuiet
        }
    }

    /// Silence from one sample to another, which is then the end. The jitter buffer's ticks fit into `sound`.
    private mutating func fill(from first: Int, to last: Int) {
        end = min(max(1, last), sound.count)
        for index in min(first, end)..<end { sound[index] = 0 }
    }
}
