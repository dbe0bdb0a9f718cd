import Comparison
import Glibc
import SoundCore
import Testing

/// Sound of any rate at 48 kHz: the same tone, level and length, without artefacts.
@Suite
struct RateConverterTests {
    private static let rates = [8_000, 11_025, 12_345, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 192_000]

    @Test(arguments: rates)
    func toneKeepsPitchLevelAndLength(rate: Int) {
        let output = convert(Self.sine(1_000, rate: rate, count: rate), from: rate)
        #expect(output.count == 48_000)
        let (tone, beside) = Self.judge(output[1_000..<47_000], 1_000)
        #expect(abs(tone - 10_000) < 30)
        #expect(beside < 20)
    }

    /// Nothing is late: the first sample is the first sample.
    @Test(arguments: rates)
    func conversionAddsNoDelay(rate: Int) {
        var click = [Float](repeating: 0, count: rate / 10)
        click[rate / 100] = 10_000
        let output = convert(click, from: rate)
        let due = (Double(rate / 100) * 48_000 / Double(rate)).rounded()
        #expect(output.firstIndex(of: output.max() ?? 0) == Int(due))
    }

    @Test func soundOf48kHzPassesUnchanged() {
        let input = (0..<5_000).map { Float(($0 * 7_919) % 65_536 - 32_768) }
        #expect(Mismatch(convert(input, from: 48_000), input.map { Int16($0) }) == nil)
    }

    /// A tone above the range of 48 kHz is not heard as another one.
    @Test func tooHighFrequenciesAreSilent() {
        let output = convert(Self.sine(30_000, rate: 96_000, count: 48_000), from: 96_000)
        #expect(output[1_000..<23_000].allSatisfy { abs(Int($0)) < 20 })
    }

    @Test(arguments: [8_000, 44_100, 192_000])
    func chunksGiveSameSound(rate: Int) {
        let input = Self.sine(440, rate: rate, count: 5_000)
        var converter = RateConverter(from: rate)
        var (output, place, size) = ([Int16](), 0, 1)
        while place < input.count {
            output += converter.convert(Array(input[place..<min(place + size, input.count)]))
            (place, size) = (place + size, size * 5 % 701 + 1)
        }
        #expect(Mismatch(output + converter.finish(), convert(input, from: rate)) == nil)
    }

    private func convert(_ input: [Float], from rate: Int) -> [Int16] {
        var converter = RateConverter(from: rate)
        let output = converter.convert(input)
        return output + converter.finish()
    }

    private static func sine(_ frequency: Double, rate: Int, count: Int) -> [Float] {
        (0..<count).map { Float(10_000 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    /// The amplitude of one frequency, and the mean (RMS) of all else.
    private static func judge(_ samples: ArraySlice<Int16>, _ frequency: Double) -> (tone: Double, beside: Double) {
        let turns = samples.indices.map { 2 * Double.pi * frequency * Double($0) / 48_000 }
        let values = samples.map(Double.init)
        let sine = 2 * zip(values, turns).reduce(0) { $0 + $1.0 * sin($1.1) } / Double(values.count)
        let cosine = 2 * zip(values, turns).reduce(0) { $0 + $1.0 * cos($1.1) } / Double(values.count)
        let beside = zip(values, turns).reduce(0) { sum, pair in
            let rest = pair.0 - sine * sin(pair.1) - cosine * cos(pair.1)
            return sum + rest * rest
        }
        return ((sine * sine + cosine * cosine).squareRoot(), (beside / Double(values.count)).squareRoot())
    }
}
