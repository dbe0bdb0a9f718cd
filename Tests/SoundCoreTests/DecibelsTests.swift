import SoundCore
import Testing

@Suite struct DecibelsTests {
    @Test(arguments: [(0.0, 1.0), (20, 10), (-20, 0.1), (-6.020_599_913, 0.5), (-60, 0.001), (3.14, 1.435_489_433)])
    func knownRatiosMatch(decibels: Double, ratio: Double) {
        #expect(abs(Decibels.gain(decibels) / ratio - 1) < 1e-8)
        #expect(abs(Decibels.level(ratio) - decibels) < 1e-7)
    }

    @Test func conversionRoundTrips() {
        for step in -990...200 {
            let decibels = Double(step) / 10
            #expect(abs(Decibels.level(Decibels.gain(decibels)) - decibels) < 1e-6)
        }
    }

    @Test func silenceHasFloor() {
        #expect([0, -1, .nan, .infinity, 1e-9].map(Decibels.level) == Array(repeating: Decibels.floor, count: 5))
    }

    @Test func levelsMatch() {
        let square = (0..<480).map { Int16($0 % 2 == 0 ? 16_384 : -16_384) }
        let level = Level(of: square.span)
        #expect(abs(level.peak + 6.0206) < 0.001 && abs(level.rms + 6.0206) < 0.001 && !level.isQuiet)
        let nothing = [Int16](repeating: 0, count: 480)
        let silence = Level(of: nothing.span)
        #expect(silence.peak == Decibels.floor && silence.rms == Decibels.floor && silence.isQuiet)
        let lowest = [Int16](repeating: .min, count: 48_000)
        let loudest = Level(of: lowest.span)
        #expect(abs(loudest.rms) < 1e-9)
        let none = Level(of: [Int16]().span)
        #expect(none.rms == Decibels.floor)
    }
}
