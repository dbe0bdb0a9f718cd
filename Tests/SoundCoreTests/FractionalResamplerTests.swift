import Comparison
import SoundCore
import Testing

@Suite struct FractionalResamplerTests {
    /// The output for `sound` at one speed after another, in quanta of 480.
    static func run(_ sound: [Int16], corrections: [Double]) -> (output: [Int16], taken: Int) {
        var resampler = FractionalResampler()
        var (output, taken, quanta): ([Int16], Int, Int) = ([], 0, 0)
        while true {
            resampler.set(correction: corrections[quanta % corrections.count])
            quanta += 1
            var part = [Int16](repeating: 0, count: 480)
            var span = part.mutableSpan
            let rest = sound.span.extracting(taken...)
            let result = resampler.run(rest, into: &span, from: 0)
            taken += result.taken
            output += part[..<result.place]
            if result.place < 480 { return (output, taken) }
        }
    }

    @Test func unitySpeedPassesSoundUnchanged() {
        let sound = Signal.tone(1_000, amplitude: 20_000, milliseconds: 200)
        let (output, taken) = Self.run(sound, corrections: [0])
        #expect(taken == sound.count)
        #expect(Mismatch(output.dropFirst(FractionalResampler.delay), sound.prefix(output.count - 8)) == nil)
    }

    @Test(arguments: [0.005, -0.005, 0.000_1, -0.002])
    func speedIsExact(correction: Double) {
        let sound = [Int16](repeating: 1_000, count: 480_000)
        let (output, _) = Self.run(sound, corrections: [correction])
        #expect(abs(Double(sound.count) / Double(output.count) - 1 - correction) < 0.000_01)
        #expect(output.dropFirst(20).allSatisfy { abs(Int($0) - 1_000) <= 1 })
    }

    /// A sine stays a sine at the other frequency. The remaining error was calculated from the table: images of the
    /// windowed sinc, the straight lines between its phases (-89 dB at 8 kHz), and the rounding to 16 bits before and
    /// after (-91 dB together). The limits are 2 dB above: -89.1, -88.8, -84.0 and -75.4 dB are expected.
    @Test(arguments: [(1_000, -87.0), (4_000, -87.0), (8_000, -82.0), (12_000, -73.5)])
    func sineStaysSine(frequency: Int, limit: Double) {
        let sound = Signal.tone(frequency, amplitude: 20_000, milliseconds: 1_200)
        let (output, _) = Self.run(sound, corrections: [0.005])
        let residue = Signal.residue(beside: frequency * 1_005 / 1_000, in: output[480..<48_480])
        #expect(residue < limit)
        let loudness = Level(of: output.span.extracting(480..<48_480)).rms - Level(of: sound.span).rms
        #expect(abs(loudness) < 0.01)
    }

    /// Constant speed changes are inaudible: the steepest step stays that of the sine.
    @Test func changesOfSpeedDoNotClick() {
        let sound = Signal.tone(400, amplitude: 30_000, milliseconds: 3_000)
        let (output, _) = Self.run(sound, corrections: [0.005, -0.005, 0.001, 0, -0.003])
        let settled = Array(output.dropFirst(500))
        #expect(Signal.steepest(settled) <= Signal.steepest(Array(sound.dropFirst(500))) * 1_006 / 1_000 + 2)
    }
}
