import Comparison
import SoundCore
import Testing

/// The vectors use the project's own signal (`CodecSignal`). They were compared octet by octet and sample by sample.
/// The encoder was compared with Debian's libspandsp 0.0.6 over 10 s, the decoder with FFmpeg's (libavcodec 59) over
/// 10 s of encoded sound and 10 s of random octets. All are equal; libspandsp's decoder too, except where it overflows
/// instead of limiting.
@Suite struct G722Tests {
    private static func encode(_ samples: [Int16], with encoder: inout G722Encoder) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: samples.count / 2)
        var span = octets.mutableSpan
        encoder.encode(samples.span, into: &span)
        return octets
    }

    private static func decode(_ octets: [UInt8], with decoder: inout G722Decoder) -> [Int16] {
        var samples = [Int16](repeating: 0, count: 2 * octets.count)
        var span = samples.mutableSpan
        decoder.decode(octets.span, into: &span)
        return samples
    }

    @Test func tenSecondsMatchOtherCodecs() {
        var (encoder, decoder) = (G722Encoder(), G722Decoder())
        let octets = Self.encode(CodecSignal.samples(count: 160_000), with: &encoder)
        #expect(CodecSignal.digest(octets) == 11_424_014_190_326_602_866)
        #expect(CodecSignal.digest(Self.decode(octets, with: &decoder)) == 16_337_559_866_661_521_968)
    }

    @Test func anyOctetsGiveSound() {
        var decoder = G722Decoder()
        let octets = CodecSignal.samples(count: 80_000, seed: 5).map { UInt8(truncatingIfNeeded: $0) }
        #expect(CodecSignal.digest(Self.decode(octets, with: &decoder)) == 12_369_298_916_460_435_942)
    }

    @Test func framesAndResetsMakeNoDifference() {
        let samples = CodecSignal.samples(count: 3_200)
        var (encoder, decoder) = (G722Encoder(), G722Decoder())
        let octets = Self.encode(samples, with: &encoder)
        let sound = Self.decode(octets, with: &decoder)
        encoder.reset()
        decoder.reset()
        var again: [Int16] = []
        for start in stride(from: 0, to: samples.count, by: 320) {
            let part = Self.encode(Array(samples[start..<start + 320]), with: &encoder)
            again += Self.decode(part, with: &decoder)
        }
        #expect(Mismatch(again, sound) == nil)
    }

    /// Speech frequencies pass with little noise, 22 samples later.
    @Test(arguments: [300.0, 1_000, 3_000]) func tonesPass(frequency: Double) {
        var (encoder, decoder) = (G722Encoder(), G722Decoder())
        let said = CodecSignal.sine(frequency, amplitude: 8_000, rate: 16_000, count: 16_000)
        let heard = Self.decode(Self.encode(said, with: &encoder), with: &decoder)
        #expect(CodecSignal.ratio(said: said, heard: heard, delay: 22) > 25)
    }
}
