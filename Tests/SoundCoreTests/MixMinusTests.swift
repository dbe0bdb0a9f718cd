import Base
import SoundCore
import Testing

/// The mix of each of several far ends: the others, and the local person.
@Suite struct MixMinusTests {
    private static let count = 480

    private static func noise(_ loudness: Int, _ random: inout SeededGenerator) -> [Int16] {
        (0..<count).map { _ in Int16(clamping: Int.random(in: -loudness...loudness, using: &random)) }
    }

    /// The mix for `party` when the local person's voice is `words`, and the mixer has all voices.
    private static func heard(by party: Int, of voices: [[Int16]], beside words: [Int16]) -> [Int16] {
        var mixer = Mixer(capacity: count)
        mixer.begin(count: count)
        for voice in voices { add(voice, to: &mixer) }
        var output = words
        let own = voices[party]
        var span = output.mutableSpan
        mixer.join(&span, without: own.span)
        return output
    }

    private static func add(_ voice: [Int16], to mixer: inout Mixer) { mixer.add(voice.span) }

    /// The sum in whole numbers, limited once.
    private static func sum(_ voices: [[Int16]], but party: Int, beside words: [Int16]) -> [Int16] {
        (0..<count).map { place in
            let others = voices.indices.filter { $0 != party }.map { Int(voices[$0][place]) }
            return Int16(clamping: others.reduce(Int(words[place]), +))
        }
    }

    @Test(arguments: 1...8, [100, 9_000, 32_768])
    func eachHearsSumOfOthers(parties: Int, loudness: Int) {
        var random = SeededGenerator(seed: UInt64(parties * loudness))
        let voices = (0..<parties).map { _ in Self.noise(loudness, &random) }
        let words = Self.noise(loudness, &random)
        for party in 0..<parties {
            let heard = Self.heard(by: party, of: voices, beside: words)
            #expect(heard == Self.sum(voices, but: party, beside: words))
        }
    }

    @Test func loneFarEndHearsLocalPersonOnly() {
        var random = SeededGenerator(seed: 7)
        let (voice, words) = (Self.noise(32_768, &random), Self.noise(32_768, &random))
        #expect(Self.heard(by: 0, of: [voice], beside: words) == words)
    }

    /// No far end hears itself: whether its voice is loud enough to be limited for the others or silent, its own mix
    /// is the same.
    @Test func farEndDoesNotHearItself() {
        var random = SeededGenerator(seed: 8)
        let others = (0..<2).map { _ in Self.noise(20_000, &random) }
        let words = Self.noise(20_000, &random)
        let silence = [Int16](repeating: 0, count: Self.count)
        let expected = Self.heard(by: 0, of: [silence] + others, beside: words)
        for loudness in [1, 500, 32_768] {
            let own = Self.noise(loudness, &random)
            #expect(Self.heard(by: 0, of: [own] + others, beside: words) == expected)
        }
    }

    @Test func silentFarEndChangesNothing() {
        var random = SeededGenerator(seed: 9)
        let (one, other) = (Self.noise(20_000, &random), Self.noise(20_000, &random))
        let words = Self.noise(20_000, &random)
        let silence = [Int16](repeating: 0, count: Self.count)
        #expect(
            Self.heard(by: 0, of: [one, other, silence], beside: words)
                == Self.heard(by: 0, of: [one, other], beside: words))
        #expect(Self.heard(by: 0, of: [one, other], beside: silence) == other)
    }

    @Test func loudSumIsLimitedWithoutWrapping() {
        let loud = [Int16](repeating: 30_000, count: Self.count)
        let low = [Int16](repeating: -30_000, count: Self.count)
        #expect(Self.heard(by: 0, of: [low, loud], beside: loud).allSatisfy { $0 == 32_767 })
        #expect(Self.heard(by: 0, of: [loud, low], beside: low).allSatisfy { $0 == -32_768 })
        // Limited once, at the end: cancelling voices do not distort.
        #expect(Self.heard(by: 0, of: [loud, loud, loud, low], beside: low).allSatisfy { $0 == 0 })
    }
}
