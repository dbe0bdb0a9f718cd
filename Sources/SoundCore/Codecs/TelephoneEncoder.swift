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
