import Base
import Comparison
import SoundCore
import Testing

@Suite struct GlidingResamplerTests {
    private static let delay = FractionalResampler.delay

    /// Everything that comes out of `sound` at one speed after another, in quanta, of which as much is offered as there is.
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

    @Test func atItsOwnSpeedSoundPassesUnchanged() {
        let output = Self.run(Self.noise, corrections: [0])
        #expect(output.count == Self.noise.count)
        #expect(Mismatch(output.dropFirst(Self.delay), Self.noise.dropLast(Self.delay)) == nil)
    }

    /// Sound that tells its own place: one more at each sample, between which it is read to a ten-thousandth.
    @Test(arguments: [0.000_02, -0.000_1, 0.000_5, -0.001, 0.002, -0.005, 0.009])
    func nothingIsFurtherThanTwoSamplesFromItsPlace(correction: Double) {
        let places = (0..<60_000).map { Int16($0 - 30_000) }
        let output = Self.run(places, corrections: [correction])
        let errors = output.enumerated().dropFirst(30).map { index, sample in
            let error = Double(sample) + 30_000 - (Double(index) * (1 + correction) - Double(Self.delay))
            return max(0, abs(error) - abs(Double(sample)) / 8_000)
        }
        #expect(errors.max() ?? 9 <= 2.1)
    }

    @Test(arguments: [0.000_02, -0.000_1, 0.000_5, -0.002, 0.005])
    func theSpeedIsWhatItSays(correction: Double) {
        let output = Self.run(Self.noise, corrections: [correction])
        #expect(abs(Double(output.count) * (1 + correction) - Double(Self.noise.count)) <= 3)
    }

    /// What it is for: at speeds that clocks have nearly all samples are as they came.
    @Test(arguments: [(0.000_02, 0.97), (-0.000_1, 0.89), (0.000_3, 0.68)])
    func mostSamplesAreAsTheyCame(correction: Double, share: Double) {
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
    func piecesMakeNoDifference(offered: Int, correction: Double) {
        let sound = Array(Self.noise.prefix(100_000))
        let whole = Self.run(sound, corrections: [correction])
        #expect(Mismatch(whole, Self.run(sound, corrections: [correction], offered: offered)) == nil)
        #expect(Mismatch(whole, Self.run(sound, corrections: [correction], quantum: 101)) == nil)
    }

    /// Faster and slower all the time is not heard: the steepest step stays that of the sine.
    @Test func changesOfSpeedDoNotClick() {
        let sound = Signal.tone(400, amplitude: 30_000, milliseconds: 3_000)
        let output = Self.run(sound, corrections: [0.005, -0.005, 0.000_1, 0, -0.003, 0.000_9])
        let settled = Array(output.dropFirst(500))
        #expect(Signal.steepest(settled) <= Signal.steepest(Array(sound.dropFirst(500))) * 1_006 / 1_000 + 2)
    }

    /// What is owed in one direction is not made up for in the other.
    @Test func aSpeedThatTurnsRoundLeavesNothing() {
        let output = Self.run(Self.noise, corrections: [0.000_1, -0.000_1])
        #expect(output.count == Self.noise.count)
        #expect(Mismatch(output.dropFirst(Self.delay), Self.noise.dropLast(Self.delay)) == nil)
    }
}
