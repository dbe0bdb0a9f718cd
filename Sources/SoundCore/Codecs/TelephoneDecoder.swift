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
