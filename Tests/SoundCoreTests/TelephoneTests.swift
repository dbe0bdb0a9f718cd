import SoundCore
import Testing

@Suite struct TelephoneTests {
    static let codecs: [TelephoneCodec] = [.g711(.mu), .g711(.a), .g722]

    /// The delay of a voice through both ends, in samples of 48 kHz.
    private static func delay(_ codec: TelephoneCodec) -> Int {
        switch codec {
        // Two filters of 71 samples; the lower rate takes its samples at the end of six.
        case .g711: 2 * 71 - 5
        case .g722: 2 * 35 - 2 + 3 * 22
        }
    }

    private static func encode(_ samples: [Int16], _ encoder: inout TelephoneEncoder) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: samples.count / TelephoneCodec.samplesPerOctet)
        var span = octets.mutableSpan
        let count = encoder.encode(samples.span, into: &span)
        return Array(octets.prefix(count))
    }

    private static func decode(_ octets: [UInt8], _ decoder: inout TelephoneDecoder) -> [Int16] {
        var samples = [Int16](repeating: 0, count: TelephoneCodec.octetsPlayed * TelephoneCodec.samplesPerOctet)
        var span = samples.mutableSpan
        let count = decoder.decode(octets.span, into: &span)
        return Array(samples.prefix(count ?? 0))
    }

    /// Through both ends in packets of so many milliseconds; those of `missing` are concealed.
    static func carry(
        _ said: [Int16], _ codec: TelephoneCodec, packet: Int = 20, missing: Range<Int> = 0..<0
    ) -> [Int16] {
        var encoder = TelephoneEncoder()
        var decoder = TelephoneDecoder()
        encoder.use(codec)
        decoder.use(codec)
        var heard: [Int16] = []
        let length = packet * SoundFormat.samplesPerMillisecond
        for number in 0..<said.count / length {
            let octets = encode(Array(said[number * length..<(number + 1) * length]), &encoder)
            #expect(octets.count == 8 * packet)
            guard missing.contains(number) else {
                heard += decode(octets, &decoder)
                continue
            }
            var samples = [Int16](repeating: 0, count: length)
            var span = samples.mutableSpan
            let count = decoder.conceal(length, into: &span)
            #expect(count == length)
            heard += samples
        }
        return heard
    }

    @Test(arguments: codecs, [10, 20, 40, 60]) func voicePasses(codec: TelephoneCodec, packet: Int) {
        let said = CodecSignal.sine(1_000, amplitude: 8_000, count: 46_080)
        let heard = Self.carry(said, codec, packet: packet)
        #expect(heard.count == said.count)
        let ratio = CodecSignal.ratio(said: said, heard: heard, delay: Self.delay(codec))
        #expect(ratio > 30, "\(ratio) dB")
    }

    @Test(arguments: codecs) func lostPacketIsConcealed(codec: TelephoneCodec) {
        let said = CodecSignal.sine(500, amplitude: 8_000, count: 46_080)
        let heard = Self.carry(said, codec, missing: 20..<21)
        let ratio = CodecSignal.ratio(said: said, heard: heard, delay: Self.delay(codec))
        #expect(ratio > 15, "\(ratio) dB")
    }

    /// All possible packet contents, valid or not.
    @Test(arguments: codecs) func anyOctetsGiveSound(codec: TelephoneCodec) {
        var decoder = TelephoneDecoder()
        decoder.use(codec)
        let octets = CodecSignal.samples(count: 1_700).map { UInt8(truncatingIfNeeded: $0) }
        for count in [1, 7, 80, 240, 960, 1_600] {
            #expect(Self.decode(Array(octets.prefix(count)), &decoder).count == 6 * count)
        }
        #expect(Self.decode([], &decoder).isEmpty && Self.decode(Array(octets.prefix(1_601)), &decoder).isEmpty)
    }

    @Test(arguments: codecs) func concealmentHasWholeSamples(codec: TelephoneCodec) {
        var decoder = TelephoneDecoder()
        decoder.use(codec)
        var samples = [Int16](repeating: 0, count: 5_760)
        for wanted in [1, 120, 137, 480, 5_760] {
            var span = samples.mutableSpan
            let count = decoder.conceal(wanted, into: &span)
            #expect(count >= wanted && count < wanted + 6)
        }
    }

    /// After a codec change, a call has no rest of the former codec.
    @Test func codecChangeStartsFresh() {
        let loud = CodecSignal.samples(count: 5_760, seed: 9)
        var used = TelephoneEncoder()
        used.use(.g722)
        _ = Self.encode(Array(loud.prefix(2_880)), &used)
        for codec in Self.codecs {
            used.use(codec)
            var fresh = TelephoneEncoder()
            fresh.use(codec)
            let said = Array(loud.suffix(960))
            let expected = Self.encode(said, &fresh)
            #expect(Self.encode(said, &used) == expected)
        }
    }
}
