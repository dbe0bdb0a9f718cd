import Base
import Comparison
import SoundCore
import Testing

@Suite struct PathTests {
    static func sine(_ frequency: Double, amplitude: Double, milliseconds: Int) -> [Int16] {
        ToneTests.render(
            ToneSpec(notation: "\(Int(frequency))", level: Float(Decibels.level(amplitude / 32_767) + 3.14)) ?? "425",
            milliseconds: milliseconds)
    }

    @Test func mixerAddsAndSaturatesOnlyTheSum() {
        var mixer = Mixer(capacity: 4)
        var output: [Int16] = [1, 1, 1, 1, 9]
        let loud: [Int16] = [30_000, -30_000, 30_000, 100]
        let opposite: [Int16] = [-30_000, 30_000, 30_000]
        mixer.begin(count: 4)
        mixer.add(loud.span)
        mixer.add(loud.span)
        mixer.add(opposite.span)
        mixer.add(loud.span, gain: 0)
        var span = output.mutableSpan
        mixer.finish(into: &span)
        #expect(output == [30_000, -30_000, 32_767, 200, 9])
        mixer.begin(count: 3)
        mixer.add(loud.span, gain: -2)
        var next = output.mutableSpan
        mixer.finish(into: &next)
        #expect(output == [-32_768, 32_767, -32_768, 200, 9])
    }

    @Test func gateOpensAndClosesInFiveMilliseconds() {
        var ramp = GainRamp(gain: GainRamp.closed)
        var samples = [Int16](repeating: 10_000, count: 480)
        var first = samples.mutableSpan
        ramp.apply(GainRamp.closed, to: &first)
        #expect(samples.allSatisfy { $0 == 0 } && ramp.isSilent)
        samples = [Int16](repeating: 10_000, count: 480)
        var second = samples.mutableSpan
        ramp.apply(GainRamp.open, to: &second)
        #expect(samples[0] == 0 && samples[230] < 10_000 && samples[240...].allSatisfy { $0 == 10_000 })
        #expect(zip(samples, samples.dropFirst()).allSatisfy { (0...66).contains($1 - $0) })
    }

    @Test func reversingGateDoesNotJump() {
        var ramp = GainRamp(gain: GainRamp.open)
        var samples: [Int16] = []
        for (gain, count) in [(GainRamp.closed, 100), (GainRamp.open, 60), (0.25, 100), (0.25, 400)] as [(Float, Int)] {
            var part = [Int16](repeating: 10_000, count: count)
            var span = part.mutableSpan
            ramp.apply(gain, to: &span)
            samples += part
        }
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 66 })
        #expect(samples.last == 2_500 && !ramp.isSilent)
    }

    @Test func openGateChangesNothing() {
        var ramp = GainRamp(gain: 1)
        let sound = Self.sine(1_000, amplitude: 20_000, milliseconds: 50)
        var copy = sound
        var span = copy.mutableSpan
        ramp.apply(GainRamp.open, to: &span)
        #expect(Mismatch(copy, sound) == nil)
    }

    @Test func concealedSoundFadesAndRealSoundReturns() {
        var fade = ConcealmentFade()
        var output: [Int16] = []
        for frame in 0..<40 {
            var samples = [Int16](repeating: 10_000, count: 480)
            var span = samples.mutableSpan
            fade.apply(to: &span, isInvented: (5..<30).contains(frame))
            output += samples
        }
        let start = 5 * 480
        #expect(output[..<(start + 120 * 48)].allSatisfy { $0 == 10_000 })
        #expect(output[start + 120 * 48 + 1] < 10_000)
        #expect(output[(start + 181 * 48)..<(30 * 480)].allSatisfy { $0 == 0 })
        #expect(output[(30 * 480 + 241)...].allSatisfy { $0 == 10_000 })
        #expect(zip(output, output.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 43 })
    }

    /// Behind the voice is a room: faded sound leaves the room's noise, not digital silence.
    @Test func longGapSoundsLikeRoom() {
        var fade = ConcealmentFade()
        var random = SeededGenerator(seed: 1)
        func room(_ loudness: Int16) -> [Int16] {
            (0..<480).map { _ in Int16(truncatingIfNeeded: random.next()) % loudness }
        }
        for frame in 0..<300 {
            var samples = room(frame % 10 == 0 ? 60 : 20_000)
            var span = samples.mutableSpan
            fade.apply(to: &span, isInvented: false)
        }
        var heard: [Int16] = []
        for frame in 0..<100 {
            var samples = [Int16](repeating: frame < 30 ? 5_000 : 0, count: 480)
            var span = samples.mutableSpan
            fade.apply(to: &span, isInvented: true)
            if frame >= 30 { heard += samples }
        }
        #expect(fade.isOver)
        let level = Level(of: heard.span).rms
        let expected = Decibels.level(60 / 1.732 / 32_768)
        #expect(abs(level - expected) < 2, "\(level) dB where the room has \(expected)")
    }

    /// Through a telephone codec with its own fading concealment: the room is audible all the time, from the last
    /// packet to the first, in every 10 ms.
    @Test(arguments: [TelephoneCodec.g711(.a), .g711(.mu), .g722], [3, 5, 10, 30])
    func noGapIsDigitalSilence(codec: TelephoneCodec, missing: Int) {
        var encoder = TelephoneEncoder()
        var decoder = TelephoneDecoder()
        encoder.use(codec)
        decoder.use(codec)
        var fade = ConcealmentFade(of: .fading)
        var random = SeededGenerator(seed: 5)
        // A room of -53 dBFS where the codec hears it, below 3.4 kHz.
        var smooth = 0.0
        var heard: [Int16] = []
        for number in 0..<200 {
            let room = (0..<960).map { _ in
                smooth += 0.2 * (Double(Int16(truncatingIfNeeded: random.next())) - smooth)
                return Int16((smooth / 80).rounded())
            }
            var octets = [UInt8](repeating: 0, count: 160)
            var span = octets.mutableSpan
            _ = encoder.encode(room.span, into: &span)
            var samples = [Int16](repeating: 0, count: 960)
            var sound = samples.mutableSpan
            let isMissing = (150..<150 + missing).contains(number)
            if isMissing {
                _ = decoder.conceal(960, into: &sound)
            } else {
                _ = decoder.decode(octets.span, into: &sound)
            }
            fade.apply(to: &sound, isInvented: isMissing)
            heard += samples
        }
        func level(_ range: Range<Int>) -> Double { Level(of: heard.span.extracting(range)).rms }
        let usual = level(100 * 960..<150 * 960)
        let parts = (150 * 2..<(150 + missing) * 2 + 4).map { level($0 * 480..<($0 + 1) * 480) - usual }
        print("\(codec), \(missing) packets missing: \(parts.min() ?? 0) to \(parts.max() ?? 0) dB beside the room")
        #expect(parts.allSatisfy { abs($0) < 6 }, "\(parts)")
        #expect(fade.isOver == false)
    }

    @Test func selfFadingSoundEndsWhenFaded() {
        var fade = ConcealmentFade(of: .fading)
        var samples = [Int16](repeating: 1_000, count: 60 * 48)
        var span = samples.mutableSpan
        fade.apply(to: &span, isInvented: false)
        fade.apply(to: &span, isInvented: true)
        #expect(fade.isOver)
    }

    @Test func loudRoomCountsAsVoice() {
        var noise = ComfortNoise()
        #expect(noise.level == 0)
        let loud = Self.sine(300, amplitude: 20_000, milliseconds: 100)
        noise.learn(from: loud.span)
        #expect(noise.level == ComfortNoise.loudest)
    }

    @Test func shortLossesDoNotFade() {
        var fade = ConcealmentFade()
        for frame in 0..<100 {
            var samples = [Int16](repeating: 10_000, count: 480)
            var span = samples.mutableSpan
            fade.apply(to: &span, isInvented: frame % 12 != 0)
            #expect(samples.allSatisfy { $0 == 10_000 })
        }
    }

    @Test func detectorReadsLevelsAndStretches() {
        let sound = Self.sine(440, amplitude: 8_000, milliseconds: 500)
        let expected = Decibels.level(8_000.0 / 32_767) + 3.14
        let part = sound.span.extracting(480..<23_520)
        #expect(abs(ToneDetector.level(of: 440, in: part) - expected) < 0.1)
        #expect(abs(ToneDetector.level(in: part) - expected) < 0.1)
        #expect(ToneDetector.level(of: 480, in: part) < expected - 40)
        let silence = [Int16](repeating: 0, count: 100 * 48)
        let all = silence + sound + silence
        let heard = ToneDetector.cadence(in: all.span)
        #expect(heard.map(\.isOn) == [false, true, false])
        #expect(heard.map { ($0.milliseconds + 5) / 10 * 10 } == [100, 500, 100])
        #expect(ToneDetector.cadence(in: [Int16]().span).isEmpty)
        #expect(ToneDetector.cadence(in: silence.span).map(\.isOn) == [false])
    }
}
