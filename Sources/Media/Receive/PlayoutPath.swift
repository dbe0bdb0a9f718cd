import Base
import RTPCore
import SoundCore
import Synchronization

/// Turns packets into the samples that are due: jitter buffer, decoding with repair and concealment, fade, stretching,
/// and resampling between two clocks. For the audio thread: allocates nothing after `init`.
package struct PlayoutPath<Decoder: PlayoutDecoder & ~Copyable>: ~Copyable {
    package var decoder: Decoder
    package var buffer: JitterBuffer
    private var fade = ConcealmentFade(of: .lasting)
    private var stretcher = TimeStretcher()
    private var resampler = GlidingResampler()
    /// Decoded sound that has not been played yet: `start..<end`.
    private let sound = Workspace<Int16>(count: Decoder.sampleLimit + TimeStretcher.longestPeriod, filler: 0)
    private var start = 0
    private var end = 0
    /// Invalid payloads since the last report.
    private var undecodable = 0

    package init(_ configuration: JitterBuffer.Configuration, decoder: consuming Decoder) {
        self.decoder = decoder
        buffer = JitterBuffer(configuration)
    }

    /// Prepares for another stream, whose codec conceals losses like this.
    package mutating func change(to concealment: ConcealmentFade.Concealment, usesForwardCorrection: Bool) {
        fade.concealment = concealment
        buffer.reset(usesForwardCorrection: usesForwardCorrection)
        (start, end) = (0, 0)
    }

    /// Drops all buffered sound, because it is old.
    package mutating func restart() {
        buffer.reset()
        fade = ConcealmentFade(of: fade.concealment)
        (start, end) = (0, 0)
    }

    /// Fills all of `output` with the sound that is due.
    package mutating func render(into output: inout MutableSpan<Int16>, at now: Instant) {
        resampler.set(correction: buffer.correction)
        var place = 0
        while place < output.count {
            if start == end { refill(wanted: output.count - place, of: output.count, at: now) }
            let played = sound.read(start..<end) { resampler.run($0, into: &output, from: place) }
            start += played.taken
            place = played.place
        }
    }

    /// Makes the next piece of sound: decodes, repairs or conceals it. What cannot be decoded is concealed, and what
    /// cannot be concealed is silence.
    private mutating func refill(wanted: Int, of quantum: Int, at now: Instant) {
        start = 0
        sound.write(sound.all) { samples in
            let decoded: Int?
            let ticks: Int
            var stretch = 0
            switch buffer.take(wanted, of: quantum, at: now) {
            case .decode(let frame):
                // Follow the far end to the codec of this frame. Earlier concealment still uses the old codec.
                if let turn = decoder.turn(to: frame.payloadType) {
                    fade.concealment = turn.concealment
                    buffer.repairsLoss(turn.usesForwardCorrection)
                }
                decoded = decoder.decode(buffer.payload(of: frame), into: &samples)
                if decoded == nil { undecodable += 1 }
                (ticks, stretch) = (frame.ticks, frame.stretch)
            case .recover(let frame) where decoder.isReady(for: frame.payloadType):
                decoded = decoder.recover(frame.ticks, from: buffer.payload(of: frame), into: &samples)
                if decoded == nil { undecodable += 1 }
                ticks = frame.ticks
            case .recover(let frame):
                // A packet of another codec contains no copy of the lost one.
                (decoded, ticks) = (nil, frame.ticks)
            case .conceal(let least), .silence(let least):
                // Silence of the sender is concealed like loss: the sound fades into the noise of the far end's room.
                // Decoders conceal in whole steps. Long pieces sound better, but a packet that is only late would have
                // to wait behind them.
                let step = Decoder.concealmentStep
                let shortest = buffer.expectsLatePackets ? step : Decoder.shortestConcealment
                (decoded, ticks) = (nil, fade.isOver ? least : max(shortest, (least + step - 1) / step * step))
            }
            // Inaudible sound need not be concealed.
            var count = decoded ?? (fade.isOver ? 0 : decoder.conceal(ticks, into: &samples) ?? 0)
            if decoded == nil, count < max(1, ticks) {
                let end = min(max(1, ticks), Decoder.sampleLimit)
                for index in min(count, end)..<end { samples[index] = 0 }
                count = end
            }
            fade.apply(to: &samples, count: count, isInvented: decoded == nil)
            buffer.invented(count, at: now)
            // Every frame passes the stretcher, which needs the sound before the frame that it changes.
            end = stretcher.apply(stretch, to: &samples, count: count)
            buffer.stretched(by: end - count, at: now)
        }
    }
}

/// The playout of a call's voice, and of a page.
extension PlayoutPath where Decoder == VoiceDecoder {
    init(settings: MediaSettings) throws(MediaError) {
        var configuration = JitterBuffer.Configuration(clockRate: SoundFormat.sampleRate)
        configuration.minimumDelay = settings.shortestBuffer
        configuration.maximumDelay = settings.longestBuffer
        configuration.payloadLimit = VoiceRing.payloadLimit
        configuration.usesForwardCorrection = true
        self.init(configuration, decoder: try VoiceDecoder(complexity: settings.opusComplexity))
    }

    /// Applies the first or changed formats. If the current codec is not among them, a new stream begins with `codec`.
    /// Otherwise the packets' payload types select the codec.
    mutating func apply(_ formats: VoiceFormats, beginningWith codec: VoiceCodec) {
        guard formats != decoder.formats else { return }
        let goesOn = decoder.formats != nil && formats.contains(decoder.codec)
        decoder.formats = formats
        guard !goesOn, codec != decoder.codec else { return }
        decoder.use(codec)
        change(to: codec.concealment, usesForwardCorrection: codec.usesForwardCorrection)
    }

    /// Drops all sound on its way, because the call gets the sound (again).
    mutating func restart(_ packets: borrowing VoiceRing) {
        while packets.pop({ _, _ in }) {}
        restart()
    }

    /// Takes the packets from the ring, then fills all of `output` with the sound that is due.
    /// - Parameter burst: the samples that the device takes now.
    mutating func render(
        from packets: borrowing VoiceRing, into output: inout MutableSpan<Int16>, _ burst: JitterBuffer.DeviceBurst,
        _ counters: MediaCounters, at now: Instant
    ) {
        buffer.burst = burst
        while packets.pop({ packet, payload in
            // The network thread gets new terms a little later. Drop packets that it accepted under the old terms.
            guard decoder.formats?.codec(of: packet.header.payloadType) != nil else { return }
            if packet.ticks == 0 {
                buffer.insertVoiceless(packet.header)
            } else {
                let arrival = Instant(nanoseconds: packet.arrival)
                _ = buffer.insert(packet.header, ticks: packet.ticks, payload: payload, at: arrival)
            }
        }) {}
        render(into: &output, at: now)
        if undecodable > 0 {
            counters.undecodable.wrappingAdd(undecodable, ordering: .relaxed)
            undecodable = 0
        }
    }

    func publish(to gauges: CallGauges) {
        let statistics = buffer.statistics
        gauges.concealedTicks.store(Int(statistics.counters.concealedTicks), ordering: .relaxed)
        gauges.playedTicks.store(Int(statistics.counters.playedTicks), ordering: .relaxed)
        gauges.pattern.store(statistics.pattern)
        gauges.bufferMicroseconds.store(Int(statistics.delayMilliseconds * 1_000), ordering: .relaxed)
    }
}

/// The properties that change when a decoder switches to another codec.
package struct DecoderTurn {
    let concealment: ConcealmentFade.Concealment
    let usesForwardCorrection: Bool
}

/// Decodes payloads to samples. Lengths are in samples of the phone's own format.
package protocol PlayoutDecoder: ~Copyable {
    /// Samples of the longest payload.
    static var sampleLimit: Int { get }
    /// Concealment works in whole steps of this many samples.
    static var concealmentStep: Int { get }
    /// The least number of samples that are concealed at a time.
    static var shortestConcealment: Int { get }

    /// Prepares for a packet with this payload type. Far ends may change the codec from one packet to the next.
    /// - Returns: Nil if the codec stays the same.
    mutating func turn(to payloadType: UInt8) -> DecoderTurn?

    /// Whether packets with this payload type use the current codec.
    func isReady(for payloadType: UInt8) -> Bool

    /// - Returns: The samples written, or nil for an invalid packet.
    @_lifetime(samples: copy samples)
    mutating func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Decodes the redundant copy of the packet before this one, which was lost and had `count` samples. Nil if the
    /// packet has no such copy.
    @_lifetime(samples: copy samples)
    mutating func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Conceals about `count` samples from the sound before; nil if it cannot.
    mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int?
}

extension PlayoutDecoder where Self: ~Copyable {
    package mutating func turn(to payloadType: UInt8) -> DecoderTurn? { nil }
    package func isReady(for payloadType: UInt8) -> Bool { true }
}
