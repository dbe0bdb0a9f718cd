import Base
import Bench
import Glibc
import Testing

@Suite struct SimilarityTests {
    /// A second and a half of speech-like noise: bursts of 300 ms with pauses of 200 ms.
    private func speech(seed: UInt64) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        var smooth = 0.0
        return (0..<72_000).map { index in
            smooth = 0.9 * smooth + Double(Int16.random(in: -3_000...3_000, using: &generator))
            return index % 24_000 < 14_400 ? Int16(smooth) : 0
        }
    }

    private func heard(_ said: [Int16], delay: Int, gain: Double = 1) -> [Int16] {
        let early = [Int16](repeating: 0, count: delay)
        let late = [Int16](repeating: 0, count: 48_000 - delay)
        return early + said.map { Int16(Double($0) * gain) } + late
    }

    @Test(arguments: [0, 1, 959, 3_601, 40_000])
    func delayIsFoundToSample(_ delay: Int) throws {
        let said = speech(seed: 1)
        let similarity = try #require(Similarity(said: said, heard: heard(said, delay: delay)))
        #expect(similarity.delayMilliseconds == Double(delay) / 48)
        #expect(similarity.correlation > 0.999)
        #expect(similarity.segmentalRatioDecibels > 34)
    }

    @Test func movingDelayIsFollowedAndReported() throws {
        let said = speech(seed: 8)
        // From the second burst on everything comes 10 ms later.
        let whole = heard(said, delay: 2_400)
        let moved = Array(whole[..<20_000]) + [Int16](repeating: 0, count: 480) + Array(whole[20_000...])
        let similarity = try #require(Similarity(said: said, heard: moved))
        #expect(similarity.delaySpreadMilliseconds == 10)
        #expect(similarity.segmentalRatioDecibels > 30, "\(similarity)")
    }

    /// A phone that follows another clock plays up to half a percent faster or slower.
    @Test(arguments: [-0.005, 0.005]) func glidingDelayIsFollowed(share: Double) throws {
        let said = (0..<96_000).map { (index: Int) -> Int16 in
            let place = Double(index)
            let melody: Double = sin(place / 40) + sin(place / 63) * cos(place / 5_000)
            return Int16(3_000 * melody)
        }
        let heard = (0..<160_000).map { (index: Int) -> Int16 in
            let place = Int((Double(index - 4_800) * (1 + share)).rounded())
            return said.indices.contains(place) ? said[place] : 0
        }
        let similarity = try #require(Similarity(said: said, heard: heard))
        #expect(similarity.segmentalRatioDecibels > 15, "\(similarity)")
    }

    /// A phone that catches up after a stall skips a tenth, piece by piece.
    @Test func shrinkingDelayIsFollowed() throws {
        let said = speech(seed: 9)
        let whole = heard(said, delay: 9_600)
        let caughtUp = whole.indices.filter { !(9_600..<81_600).contains($0) || $0 % 4_800 >= 480 }.map { whole[$0] }
        let padded = caughtUp + [Int16](repeating: 0, count: whole.count - caughtUp.count)
        let similarity = try #require(Similarity(said: said, heard: padded))
        #expect(similarity.delaySpreadMilliseconds > 100, "\(similarity)")
        #expect(similarity.segmentalRatioDecibels > 12, "\(similarity)")
    }

    @Test func loudnessDoesNotCount() throws {
        let said = speech(seed: 2)
        let similarity = try #require(Similarity(said: said, heard: heard(said, delay: 480, gain: 0.5)))
        #expect(similarity.segmentalRatioDecibels > 30)
    }

    @Test func noiseGivesItsRatio() throws {
        let said = speech(seed: 3)
        var generator = SeededGenerator(seed: 4)
        let amplitude = 1_650  // 20 dB below the speech made above, as its variance says.
        let noisy = heard(said, delay: 480).map {
            Int16(clamping: Int($0) + Int.random(in: -amplitude / 4...amplitude / 4, using: &generator))
        }
        let similarity = try #require(Similarity(said: said, heard: noisy))
        #expect((20...30).contains(similarity.segmentalRatioDecibels), "\(similarity)")
    }

    @Test func otherSpeechIsNotSimilar() throws {
        let similarity = try #require(Similarity(said: speech(seed: 5), heard: heard(speech(seed: 6), delay: 480)))
        #expect(similarity.segmentalRatioDecibels < 1, "\(similarity)")
    }

    @Test func silenceCannotBeCompared() {
        let silence = [Int16](repeating: 0, count: 120_000)
        #expect(Similarity(said: speech(seed: 7), heard: silence) == nil)
        #expect(Similarity(said: Array(silence.prefix(48_000)), heard: silence) == nil)
        #expect(Similarity(said: [], heard: []) == nil)
    }
}
