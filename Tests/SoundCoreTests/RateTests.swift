import Comparison
import SoundCore
import Testing

@Suite struct RateTests {
    private static func raise(_ samples: [Int16], by factor: Int) -> [Int16] {
        var interpolator = Interpolator(factor: factor)
        var output = [Int16](repeating: 0, count: factor * samples.count)
        var span = output.mutableSpan
        interpolator.process(samples.span, into: &span)
        return output
    }

    private static func lower(_ samples: [Int16], by factor: Int) -> [Int16] {
        var decimator = Decimator(factor: factor)
        var output = [Int16](repeating: 0, count: samples.count / factor)
        var span = output.mutableSpan
        decimator.process(samples.span, into: &span)
        return output
    }

    /// The filter's delay in samples of 48 kHz.
    private static func delay(_ factor: Int) -> Int { 12 * factor - 1 }

    @Test(arguments: [(6, 300.0), (6, 1_000), (6, 3_300), (3, 300), (3, 3_000), (3, 6_600)])
    func voicePassesUpwards(factor: Int, frequency: Double) {
        let said = CodecSignal.sine(frequency, amplitude: 10_000, count: 19_200)
        let narrow = stride(from: 0, to: said.count, by: factor).map { said[$0] }
        let heard = Self.raise(narrow, by: factor)
        #expect(CodecSignal.ratio(said: said, heard: heard, delay: Self.delay(factor)) > 40)
    }

    @Test(arguments: [(6, 300.0), (6, 1_000), (6, 3_300), (3, 300), (3, 3_000), (3, 6_600)])
    func voicePassesDownwards(factor: Int, frequency: Double) {
        let said = CodecSignal.sine(frequency, amplitude: 10_000, count: 19_200)
        let heard = Self.lower(said, by: factor)
        // The first sample of each pair of `factor` that are taken: the delay is one less than a whole number of them.
        let expected = stride(from: factor - 1, to: said.count, by: factor).map { place in
            place < Self.delay(factor) ? 0 : said[place - Self.delay(factor)]
        }
        #expect(CodecSignal.ratio(said: expected, heard: heard, delay: 0) > 30)
    }

    /// Frequencies above the lower rate's range do not alias.
    @Test(arguments: [(6, 4_700), (6, 7_000), (6, 15_000), (3, 9_400), (3, 13_000)])
    func tooHighFrequenciesAreRemoved(factor: Int, frequency: Int) {
        let said = CodecSignal.sine(Double(frequency), amplitude: 10_000, count: 19_200)
        let heard = Self.lower(said, by: factor).dropFirst(100)
        #expect(heard.allSatisfy { abs(Int($0)) < 30 })
    }

    /// Of a tone at the lower rate no image is left above half of it.
    @Test(arguments: [(6, 1_000), (6, 3_300), (3, 6_600)]) func noImagesAreLeft(factor: Int, frequency: Int) {
        let rate = SoundFormat.sampleRate / factor
        let said = CodecSignal.sine(Double(frequency), amplitude: 10_000, count: 19_200)
        let heard = Self.raise(stride(from: 0, to: said.count, by: factor).map { said[$0] }, by: factor)
        let part = Array(heard.dropFirst(480))
        let own = ToneDetector.level(of: frequency, in: part.span)
        for image in [rate - frequency, rate + frequency] {
            #expect(ToneDetector.level(of: image, in: part.span) < own - 55, "\(image)")
        }
    }

    @Test func chunkSizesMakeNoDifference() {
        let said = CodecSignal.samples(count: 960)
        var interpolator = Interpolator(factor: 6)
        var pieces: [Int16] = []
        for start in stride(from: 0, to: said.count, by: 80) {
            var output = [Int16](repeating: 0, count: 480)
            var span = output.mutableSpan
            interpolator.process(said.span.extracting(start..<start + 80), into: &span)
            pieces += output
        }
        #expect(Mismatch(pieces, Self.raise(said, by: 6)) == nil)
        var output = [Int16](repeating: 1, count: 480)
        interpolator.reset()
        var span = output.mutableSpan
        interpolator.process([Int16](repeating: 0, count: 80).span, into: &span)
        #expect(output.allSatisfy { $0 == 0 })
    }
}
