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
