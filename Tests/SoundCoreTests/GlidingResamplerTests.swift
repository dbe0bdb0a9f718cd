import Base
import Comparison
import SoundCore
import Testing

@Suite struct GlidingResamplerTests {
    private static let delay = FractionalResampler.delay

    /// The output for `sound` at one speed after another, in quanta, with all available input offered.
    private static func run(
        _ sound: [Int16], corrections: [Double], quantum: Int = 480, offered: Int = .max
    ) -> [Int16] {
        var resampler = GlidingResampler()
        var (output, taken, quanta): ([Int16], Int, Int) = ([], 0, 0)
        while taken < sound.count {
            resampler.set(correction: corrections[quanta % corrections.count])
            quanta += 1
            var part = [Int16](repeating: 0, count: quantum)
            var span = part.mutableSpan
            var place = 0
            while place < quantum, taken < sound.count {
                let rest = sound.span.extracting(taken..<taken + min(offered, sound.count - taken))
                let result = resampler.run(rest, into: &span, from: place)
                taken += result.taken
                place = result.place
            }
            output += part[..<place]
        }
        return output
    }

    private static let noise: [Int16] = {
        var random = SeededGenerator(seed: 3)
        return (0..<480_000).map { _ in Int16.random(in: -10_000...10_000, using: &random) }
    }()

    @Test func unitySpeedPassesSoundUnchanged() {
        let output = Self.run(Self.noise, corrections: [0])
        #expect(output.count == Self.noise.count)
        #expect(Mismatch(output.dropFirst(Self.delay), Self.noise.dropLast(Self.delay)) == nil)
    }

    /// A ramp that encodes its own position: one more at each sample, interpolated to a ten-thousandth.
    @Test(arguments: [0.000_02, -0.000_1, 0.000_5, -0.001, 0.002, -0.005, 0.009])
    func everySampleIsWithinTwoSamplesOfItsPlace(correction: Double) {
        let places = (0..<60_000).map { Int16($0 - 30_000) }
        let output = Self.run(places, corrections: [correction])
        let errors = output.enumerated().dropFirst(30).map { index, sample in
            let error = Double(sample) + 30_000 - (Double(index) * (1 + correction) - Double(Self.delay))
            return max(0, abs(error) - abs(Double(sample)) / 8_000)
        }
        #expect(errors.max() ?? 9 <= 2.1)
    }

    @Test(arguments: [0.000_02, -0.000_1, 0.000_5, -0.002, 0.005])
    func speedIsExact(correction: Double) {
        let output = Self.run(Self.noise, corrections: [correction])
        #expect(abs(Double(output.count) * (1 + correction) - Double(Self.noise.count)) <= 3)
    }

    /// The purpose: at the speeds of real clocks nearly all samples are unchanged.
    @Test(arguments: [(0.000_02, 0.97), (-0.000_1, 0.89), (0.000_3, 0.68)])
    func mostSamplesAreUnchanged(correction: Double, share: Double) {
        let output = Self.run(Self.noise, corrections: [correction])
        let unchanged = output.indices.dropFirst(30).count { index in
            let place = index - Self.delay + Int((Double(index) * correction).rounded())
            return (place - 2...place + 2).contains {
                Self.noise.indices.contains($0) && Self.noise[$0] == output[index]
            }
        }
        #expect(Double(unchanged) / Double(output.count) > share)
    }

    @Test(arguments: [1, 7, 240, 959], [0.000_1, -0.003])
    func chunkSizesMakeNoDifference(offered: Int, correction: Double) {
        let sound = Array(Self.noise.prefix(100_000))
        let whole = Self.run(sound, corrections: [correction])
        #expect(Mismatch(whole, Self.run(sound, corrections: [correction], offered: offered)) == nil)
        #expect(Mismatch(whole, Self.run(sound, corrections: [correction], quantum: 101)) == nil)
    }

    /// Alternating speeds are inaudible: the steepest step stays that of the sine.
    @Test func changesOfSpeedDoNotClick() {
        let sound = Signal.tone(400, amplitude: 30_000, milliseconds: 3_000)
        let output = Self.run(sound, corrections: [0.005, -0.005, 0.000_1, 0, -0.003, 0.000_9])
        let settled = Array(output.dropFirst(500))
        #expect(Signal.steepest(settled) <= Signal.steepest(Array(sound.dropFirst(500))) * 1_006 / 1_000 + 2)
    }

    /// A debt in one direction is not carried into the other.
    @Test func reversedSpeedLeavesNoDebt() {
        let output = Self.run(Self.noise, corrections: [0.000_1, -0.000_1])
        #expect(output.count == Self.noise.count)
        #expect(Mismatch(output.dropFirst(Self.delay), Self.noise.dropLast(Self.delay)) == nil)
    }
}
