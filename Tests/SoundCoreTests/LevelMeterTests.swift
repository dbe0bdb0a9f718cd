import SoundCore
import Testing

@Suite struct LevelMeterTests {
    private static func meter(_ quanta: [Int16]...) -> LevelMeter {
        var meter = LevelMeter()
        for quantum in quanta { meter.take(quantum.span) }
        return meter
    }

    @Test func largestSampleCountsRegardlessOfSign() {
        #expect(Self.meter([0, 100, -3_000, 5]).level == 3_000)
        #expect(Self.meter([.min]).level == 32_768)
        #expect(Self.meter([]).level == 0)
    }

    @Test func levelRisesAtOnceAndHalvesInElevenQuanta() {
        var meter = Self.meter([16_000])
        for _ in 0..<11 { meter.take([Int16](repeating: 0, count: 480).span) }
        #expect((7_500...8_000).contains(meter.level))
        meter.take([20_000].span)
        #expect(meter.level == 20_000)
    }

    @Test func levelReachesSilence() {
        var meter = Self.meter([.max])
        for _ in 0..<200 { meter.take([0].span) }
        #expect(meter.level == 0)
        meter = Self.meter([9])
        meter.rest()
        #expect(meter.level == 0)
    }
}
