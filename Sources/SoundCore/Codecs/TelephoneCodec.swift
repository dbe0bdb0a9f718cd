/// The codecs of desk phones. Each has one octet for each tick of an RTP clock of 8 kHz (RFC 3551 §4.5).
public enum TelephoneCodec: Equatable, BitwiseCopyable, Sendable {
    case g711(Companding)
    /// 64 kbit/s. It samples at 16 kHz, but its RTP clock has 8 kHz because of an old mistake (RFC 3551 §4.5.2).
    case g722

    /// Samples of the phone's own format per octet.
    public static let samplesPerOctet = SoundFormat.sampleRate / 8_000
    /// 60 ms: the longest packet that we send.
    static let octetsSent = 480
    /// 200 ms: the longest packet that we play (RFC 3551 §4.2).
    public static let octetsPlayed = 1_600
}

/// Encodes the phone's sound format to the octets of a telephone codec. Delay: that of `Decimator`, and 11 samples at
/// 16 kHz in G.722.
///
/// Cost: O(count), no allocation after `init`; for a real-time thread.
public struct TelephoneEncoder: ~Copyable, Sendable {
    private var codec = TelephoneCodec.g711(.mu)
    private var toNarrow = Decimator(factor: 6)
    private var toWide = Decimator(factor: 3)
    private var g722 = G722Encoder()

    public init() {}

    /// Changes the codec and forgets all earlier sound.
    public mutating func use(_ codec: TelephoneCodec) {
        self.codec = codec
        toNarrow.reset()
        toWide.reset()
        g722.reset()
    }

    /// - Precondition: a multiple of six samples, at most 60 ms, and room for an octet for each six.
    /// - Returns: The octets written.
    @_lifetime(octets: copy octets)
    public mutating func encode(_ samples: Span<Int16>, into octets: inout MutableSpan<UInt8>) -> Int {
        let count = samples.count / TelephoneCodec.samplesPerOctet
        precondition(count <= TelephoneCodec.octetsSent, "packets have at most 60 ms")
        var sound = InlineArray<960, Int16>(repeating: 0)
        var buffer = sound.mutableSpan
        switch codec {
        case .g711(let law):
            toNarrow.process(samples, into: &buffer)
            law.encode(buffer.span.extracting(0..<count), into: &octets)
        case .g722:
            toWide.process(samples, into: &buffer)
            g722.encode(buffer.span.extracting(0..<2 * count), into: &octets)
        }
        return count
    }
}

/// Decodes the octets of a telephone codec to the phone's sound format, and conceals missing octets. Delay: that of
/// `Interpolator`, and 11 samples at 16 kHz in G.722.
///
/// Any octets are valid. It works on the stack. Cost: O(count), no allocation after `init`; for a real-time thread.
public struct TelephoneDecoder: ~Copyable, Sendable {
    private var codec = TelephoneCodec.g711(.mu)
    private var narrow = Voice(rate: 8_000)
    private var wide = Voice(rate: 16_000)
    private var g722 = G722Decoder()

    /// The steps after a decoder, at the decoder's rate.
    private struct Voice: ~Copyable, Sendable {
        let factor: Int
        var concealment: Concealment
        var interpolator: Interpolator

        init(rate: Int) {
            factor = SoundFormat.sampleRate / rate
            concealment = Concealment(sampleRate: rate)
            interpolator = Interpolator(factor: factor)
        }

        mutating func reset() {
            concealment.reset()
            interpolator.reset()
        }

        @_lifetime(samples: copy samples)
        mutating func play(
            _ count: Int, of samples: inout MutableSpan<Int16>, into output: inout MutableSpan<Int16>
        ) -> Int {
            concealment.pass(count, of: &samples)
            return raise(count, of: samples, into: &output)
        }

        @_lifetime(samples: copy samples)
        mutating func invent(
            _ count: Int, of samples: inout MutableSpan<Int16>, into output: inout MutableSpan<Int16>
        ) -> Int {
            concealment.invent(count, into: &samples)
            return raise(count, of: samples, into: &output)
        }

        /// Converts to the phone's sample rate.
        @_lifetime(output: copy output)
        private mutating func raise(
            _ count: Int, of samples: borrowing MutableSpan<Int16>, into output: inout MutableSpan<Int16>
        ) -> Int {
            interpolator.process(samples.span.extracting(0..<count), into: &output)
            return factor * count
        }
    }

    public init() {}

    /// Changes the codec and forgets all earlier sound.
    public mutating func use(_ codec: TelephoneCodec) {
        self.codec = codec
        narrow.reset()
        wide.reset()
        g722.reset()
    }

    /// - Precondition: room for six samples for each octet.
    /// - Returns: The samples written; nil for no octets, or more than 200 ms of them.
    @_lifetime(samples: copy samples)
    public mutating func decode(_ octets: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int? {
        guard !octets.isEmpty, octets.count <= TelephoneCodec.octetsPlayed else { return nil }
        var sound = InlineArray<3_200, Int16>(repeating: 0)
        var buffer = sound.mutableSpan
        switch codec {
        case .g711(let law):
            law.decode(octets, into: &buffer)
            return narrow.play(octets.count, of: &buffer, into: &samples)
        case .g722:
            g722.decode(octets, into: &buffer)
            return wide.play(octets.count * G722Decoder.samplesPerOctet, of: &buffer, into: &samples)
        }
    }

    /// Invents sound that continues the sound heard last.
    /// - Parameter count: samples, at most 200 ms; rounded up to whole samples of the codec.
    /// - Returns: The samples written.
    public mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int {
        var sound = InlineArray<3_200, Int16>(repeating: 0)
        var buffer = sound.mutableSpan
        switch codec {
        case .g711: return narrow.invent((count + narrow.factor - 1) / narrow.factor, of: &buffer, into: &samples)
        case .g722: return wide.invent((count + wide.factor - 1) / wide.factor, of: &buffer, into: &samples)
        }
    }
}
