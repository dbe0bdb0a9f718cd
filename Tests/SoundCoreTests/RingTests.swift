import SoundCore
import Testing

/// A loudspeaker's ring, as it is heard.
@Suite struct RingTests {
    @Test(arguments: ToneCountry.allCases)
    func ringHasCountryCadenceAndNoClick(country: ToneCountry) {
        let cadence = country.plan.ring
        let spec = ToneSpec(ring: cadence)
        #expect(spec.allSegments.map { Int($0.milliseconds) } == cadence.milliseconds && spec.repeats)
        let samples = ToneTests.render(spec, milliseconds: cadence.period)
        // Swelling sound starts and ends softly.
        let heard = ToneDetector.cadence(in: samples.span).filter { $0.milliseconds > 3 }
        #expect(heard.map(\.isOn) == cadence.milliseconds.indices.map { $0.isMultiple(of: 2) })
        for (heard, expected) in zip(heard, cadence.milliseconds) {
            #expect(abs(heard.milliseconds - expected) <= 6, "\(heard) for \(expected)")
        }
        ToneTests.checkFrequencies(spec, samples)
        ToneTests.checkEdges(spec, samples)
    }

    @Test func ringIsAsLoudAsFullScaleAllows() throws {
        let samples = ToneTests.render(ToneSpec(ring: ToneCountry.us.plan.ring), milliseconds: 1_000)
        let peak = try #require(samples.map { abs(Int($0)) }.max())
        #expect(peak > 31_000 && peak < 32_767)
    }

    /// 25 strokes a second: the swelling sounds like a bell, and adds no pitch.
    @Test func ringSwellsLikeStruckBell() {
        let samples = ToneTests.render(ToneSpec(ring: ToneCountry.us.plan.ring), milliseconds: 1_000)
        let loud = ToneDetector.level(of: 1_000, in: samples.span)
        for side in [975, 1_025, 1_225, 1_275] {
            let level = ToneDetector.level(of: side, in: samples.span)
            #expect(level > loud - 10 && level < loud - 6, "\(side) Hz at \(level) beside \(loud)")
        }
        #expect(ToneDetector.level(of: 25, in: samples.span) < loud - 40)
    }

    @Test func longCadenceIsCut() throws {
        let long = try #require(RingToneCadence(milliseconds: Array(repeating: 50, count: 40)))
        #expect(ToneSpec(ring: long).count == ToneSpec.segmentLimit)
    }
}
