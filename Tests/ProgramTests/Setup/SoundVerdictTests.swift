import SoundCore
import Testing
import offhook

/// The verdicts on three seconds of a microphone.
@Suite struct SoundVerdictTests {
    private static func tone(_ amplitude: Double) -> [Int16] {
        (0..<SoundFormat.sampleRate).map { $0 % 96 < 48 ? Int16(amplitude) : Int16(-amplitude) }
    }

    @Test func levelsHaveVerdicts() {
        #expect(SoundVerdict([]) == .silence)
        #expect(SoundVerdict(Self.tone(0)) == .silence)
        #expect(SoundVerdict(Self.tone(5)) == .silence)
        #expect(SoundVerdict(Self.tone(60)) == .faint)
        #expect(SoundVerdict(Self.tone(3_000)) == .heard)
        #expect(SoundVerdict(Self.tone(32_767)) == .tooLoud)
    }

    /// Three words in a quiet room are heard despite the pauses around them.
    @Test func shortWordIsHeard() {
        var samples = Self.tone(0) + Self.tone(0)
        samples.insert(contentsOf: Self.tone(3_000).prefix(SoundFormat.sampleRate / 4), at: SoundFormat.sampleRate)
        #expect(SoundVerdict(samples) == .heard)
    }
}
