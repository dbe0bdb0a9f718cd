import Comparison
import Media
import SoundCore
import Testing

/// Noise, gain, and the case without work.
@Suite struct VoiceProcessingTests {
    private static let voice = TestSignal.speech(seconds: 6)

    private static func processing(_ change: (inout VoiceProcessingSettings) -> Void) -> VoiceProcessingSettings {
        var processing = VoiceProcessingSettings()
        change(&processing)
        return processing
    }

    @Test func withoutProcessingSamplesAreUnchanged() {
        let run = ProcessorRun(VoiceProcessingSettings())
        #expect(Mismatch(run.clean(Self.voice, beside: Self.voice), Self.voice) == nil)
    }

    /// 10 ms later, as whole frames are collected.
    @Test(arguments: [(240, 720), (480, 480)])
    func withoutReferenceSamplesAreUnchanged(quantum: Int, delay: Int) {
        let run = ProcessorRun(Self.processing { $0.cancelsEcho = true }, quantum: quantum)
        let output = run.clean(Self.voice, beside: nil)
        #expect(output[..<delay].allSatisfy { $0 == 0 })
        #expect(Mismatch(output[delay...], Self.voice.prefix(output.count - delay)) == nil)
    }

    @Test func silentLoudspeakerKeepsVoice() {
        let run = ProcessorRun(Self.processing { $0.cancelsEcho = true })
        let output = run.clean(Self.voice, beside: [Int16](repeating: 0, count: Self.voice.count))
        let change = ProcessorRun.loss(Self.voice, output, 1..<5.5)
        #expect(abs(change) < 1.5)
    }

    @Test func steadyNoiseIsReduced() {
        let noise = SimulatedRoom.mix(SimulatedRoom.noise(6 * 48_000, deviation: 300, seed: 1))
        let loss = ProcessorRun.loss(
            noise, ProcessorRun(Self.processing { $0.suppressesNoise = true }).clean(noise, beside: nil), 3..<5.5)
        let kept = ProcessorRun.loss(
            noise, ProcessorRun(Self.processing { $0.cancelsEcho = true }).clean(noise, beside: noise.map { _ in 0 }),
            3..<5.5)
        print("noise: \(ProcessorRun.tenths(loss)) dB quieter; without suppression \(ProcessorRun.tenths(kept)) dB")
        #expect(loss > 10)
        #expect(abs(kept) < 1)
    }

    /// Voices 30 dB apart become more similar.
    @Test func quietVoicesAreAmplified() {
        let levels = [0.05, 1.5].map { factor in
            let voice = Self.voice.map { Int16(max(-32_768, min(32_767, Double($0) * factor))) }
            let output = ProcessorRun(Self.processing { $0.levelsGain = true }).clean(voice + voice, beside: nil)
            return Level(of: output.span.extracting(8 * 48_000..<11 * 48_000)).rms
        }
        print("gain: a quiet voice at \(levels[0]) dBFS, a loud one at \(levels[1]) dBFS")
        #expect(abs(levels[0] - levels[1]) < 12)
        #expect(levels.allSatisfy { $0 > -45 })
    }

    /// The last words of a call are never heard in the next one.
    @Test(arguments: [false, true])
    func idlePeriodClearsHistory(suppressesNoise: Bool) {
        let run = ProcessorRun(
            Self.processing { ($0.cancelsEcho, $0.suppressesNoise) = (true, suppressesNoise) })
        _ = run.clean(Array(Self.voice.prefix(48_000 + 480)), beside: nil)
        run.rest()
        let silence = [Int16](repeating: 0, count: 9_600)
        #expect(run.clean(silence, beside: nil).allSatisfy { abs(Int($0)) <= 1 })
    }
}
