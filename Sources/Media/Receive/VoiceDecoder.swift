import COpus
import SoundCore

/// All decoders of a call. One is in use at a time. Lengths are in samples of the phone's own format.
///
/// All are made in `init`, so nothing allocates afterwards, whatever codec is negotiated. For the audio thread.
struct VoiceDecoder: PlayoutDecoder, ~Copyable {
    /// The longest packet: 120 ms of Opus, and 200 ms of a telephone codec (RFC 3551 §4.2).
    package static let sampleLimit = TelephoneCodec.octetsPlayed * TelephoneCodec.samplesPerOctet
    /// The limits of Opus, which are stricter; telephone codecs conceal any length.
    package static let concealmentStep = OpusDecoder.concealmentStep
    package static let shortestConcealment = OpusDecoder.shortestConcealment

    private var opus: OpusDecoder
    private var telephone = TelephoneDecoder()
    private(set) var codec = VoiceCodec.opus
    /// The codec of each payload type. Nil: there is only one codec.
    var formats: VoiceFormats?

    /// - Parameter complexity: Of Opus, 0...10.
    init(complexity: Int) throws(MediaError) { self.init(opus: try OpusDecoder(complexity: complexity)) }

    // Swift 6.2 destroys initialised fields twice when an initialiser of a noncopyable type fails. This one cannot
    // fail.
    private init(opus: consuming OpusDecoder) { self.opus = opus }

    mutating func use(_ codec: VoiceCodec) {
        self.codec = codec
        switch codec {
        case .opus: break
        case .telephone(let codec): telephone.use(codec)
        }
    }

    package mutating func turn(to payloadType: UInt8) -> DecoderTurn? {
        guard let next = formats?.codec(of: payloadType), next != codec else { return nil }
        use(next)
        return DecoderTurn(concealment: next.concealment, usesForwardCorrection: next.usesForwardCorrection)
    }

    package func isReady(for payloadType: UInt8) -> Bool {
        formats.map { $0.codec(of: payloadType) == codec } ?? true
    }

    /// - Returns: The samples written, or nil for an invalid packet.
    @_lifetime(samples: copy samples)
    package mutating func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int? {
        switch codec {
        case .opus: opus.decode(packet, into: &samples)
        case .telephone: telephone.decode(packet, into: &samples)
        }
    }

    /// Decodes the redundant copy of the packet before this one, which was lost and had `count` samples. Nil if the
    /// packet has no such copy.
    @_lifetime(samples: copy samples)
    package mutating func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>)
        -> Int?
    {
        switch codec {
        // A packet cannot repair a gap that is not a whole number of steps.
        case .opus:
            count % OpusDecoder.concealmentStep == 0
                ? opus.decode(packet, limit: count, isRecovery: true, into: &samples) : nil
        case .telephone: nil
        }
    }

    /// Conceals about `count` samples from the sound before: Opus at most `count`, telephone codecs at least `count`.
    package mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int? {
        switch codec {
        case .opus: opus.conceal(count, into: &samples)
        case .telephone: telephone.conceal(min(count, Self.sampleLimit), into: &samples)
        }
    }
}

/// Owns one libopus decoder at 48 kHz, mono. It is freed exactly once, because it cannot be copied.
///
/// It accepts any bytes: invalid ones give nil and leave the decoder usable. Nothing allocates after `init`.
@safe
struct OpusDecoder: ~Copyable {
    /// The longest packet, 120 ms.
    static let sampleLimit = 5_760
    /// Concealment works only in steps of 2.5 ms.
    static let concealmentStep = 120
    /// Shorter pieces sound worse: with a fifth of the packets lost, PESQ is 2.3 with pieces of 5 ms and 2.7 with 10
    /// ms.
    static let shortestConcealment = 480
    /// The highest decoder complexity that we use, of 0 to 10.
    private static let most = 7

    private let raw: OpaquePointer

    /// - Parameter complexity: What the machine can afford, 0...10, as for the encoder.
    init(complexity: Int) throws(MediaError) {
        var code = OPUS_OK
        guard let made = unsafe opus_decoder_create(48_000, 1, &code) else {
            throw .library("no Opus decoder", code)
        }
        unsafe raw = made
        // From libopus 1.5 on, a complexity of 5 or more makes a neural model conceal losses. A machine that is too
        // slow for it would lose more sound by concealing. Older versions reject this request for a decoder.
        _ = unsafe copus_decoder_set(made, OPUS_SET_COMPLEXITY_REQUEST, Int32(min(complexity, Self.most)))
    }

    deinit { unsafe opus_decoder_destroy(raw) }

    /// The number of samples in a packet, by its first bytes (RFC 6716 §3.1); nil for an invalid packet.
    static func samples(in packet: Span<UInt8>) -> Int? {
        let count = unsafe packet.withUnsafeBufferPointer { bytes -> Int32 in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return OPUS_INVALID_PACKET }
            return unsafe opus_packet_get_nb_samples(start, Int32(bytes.count), 48_000)
        }
        return count > 0 ? Int(count) : nil
    }

    /// - Parameters:
    ///   - limit: The most samples to write. The redundant copy of a packet has as many as that packet had.
    ///   - isRecovery: Whether to decode the redundant copy of the lost packet before this one.
    /// - Returns: The samples written, or nil for an invalid packet.
    @_lifetime(samples: copy samples)
    mutating func decode(
        _ packet: Span<UInt8>, limit: Int = sampleLimit, isRecovery: Bool = false,
        into samples: inout MutableSpan<Int16>
    ) -> Int? {
        precondition(samples.count >= limit, "room for the packet's sound")
        let count = unsafe packet.withUnsafeBufferPointer { bytes in
            unsafe samples.withUnsafeMutableBufferPointer { sound -> Int32 in
                guard let output = sound.baseAddress else { return OPUS_BAD_ARG }
                return unsafe opus_decode(
                    raw, bytes.baseAddress, Int32(bytes.count), output, Int32(limit), isRecovery ? 1 : 0)
            }
        }
        return count > 0 ? Int(count) : nil
    }

    /// Conceals `count` samples from the sound before; `count` is rounded down to a step. libopus conceals when it gets
    /// no packet at all.
    mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int? {
        let whole = count / Self.concealmentStep * Self.concealmentStep
        guard whole > 0 else { return nil }
        return decode(Span(), limit: whole, into: &samples)
    }
}
