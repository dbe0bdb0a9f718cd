import Base
import Comparison
import SoundCore
import Testing

@Suite struct TimeStretcherTests {
    /// A voice: harmonics of a pitch that wanders a little.
    static func voice(pitch: Int, milliseconds: Int) -> [Int16] {
        var phase = 0.0
        return (0..<milliseconds * 48).map { place in
            phase += Double(pitch) * (1 + 0.02 * Signal.sine(Double(place) / 24_000)) / 48_000
            let value = (1...12).reduce(0.0) { $0 + Signal.sine(phase * Double($1)) / Double($1) }
            return Int16(value * 6_000)
        }
    }

    /// Stretches every frame while `wish` requests it.
    static func run(_ sound: [Int16], frame: Int, wish: (Int) -> Int) -> [Int16] {
        var stretcher = TimeStretcher()
        var output: [Int16] = []
        for start in stride(from: 0, to: sound.count - frame + 1, by: frame) {
            var work = Array(sound[start..<start + frame]) + [Int16](repeating: 0, count: TimeStretcher.longestPeriod)
            var span = work.mutableSpan
            let count = stretcher.apply(wish(start / frame), to: &span, count: frame)
            output += work[..<count]
        }
        return output
    }

    @Test func noRequestMeansNoChange() {
        let sound = Self.voice(pitch: 140, milliseconds: 200)
        #expect(Mismatch(Self.run(sound, frame: 960) { _ in 0 }, sound) == nil)
    }

    @Test(arguments: [90, 120, 180, 250], [480, 960, 1_920])
    func voiceIsStretchedByItsPeriod(pitch: Int, frame: Int) {
        let sound = Self.voice(pitch: pitch, milliseconds: 2_000)
        let period = 48_000 / pitch
        let steepest = Signal.steepest(sound)
        let longer = Self.run(sound, frame: frame) { $0 % 3 == 2 ? 720 : 0 }
        let added = longer.count - sound.count / frame * frame
        #expect(added > sound.count / frame / 3 * period / 2)
        #expect(Signal.steepest(longer) <= steepest + steepest / 8, "no click")
        // A frame of 10 ms has no room for a low voice's period and a seam.
        guard frame > 480 || pitch >= 180 else { return }
        let shorter = Self.run(sound, frame: frame) { $0 % 3 == 2 ? -720 : 0 }
        #expect(shorter.count < sound.count - sound.count / frame / 3 * period / 2)
        #expect(Signal.steepest(shorter) <= steepest + steepest / 8, "no click")
    }

    /// The pitch stays: it is measured in the stretched sound.
    @Test(arguments: [-720, 720])
    func pitchStays(wish: Int) {
        let sound = Self.voice(pitch: 150, milliseconds: 3_000)
        let stretched = Self.run(sound, frame: 960) { $0 % 2 == 1 ? wish : 0 }
        #expect(abs(stretched.count - sound.count) > 24_000)
        let pitch = Signal.pitch(stretched)
        #expect(abs(pitch - 150) < 3, "\(pitch) Hz")
    }

    @Test func quietSoundIsCutAnywhere() {
        let silence = [Int16](repeating: 3, count: 960)
        #expect(Self.run(silence, frame: 960) { _ in -700 }.count == 260)
        #expect(Self.run(silence, frame: 960) { _ in -200 }.count == 760, "never by more than was wished")
        #expect(Self.run(silence, frame: 960) { _ in 500 }.count == 1_460)
    }

    @Test func noiseIsKeptUnlessGainIsLarge() {
        var random = SeededGenerator(seed: 8)
        let noise = (0..<9_600).map { _ in Int16(truncatingIfNeeded: random.next()) / 2 }
        #expect(Self.run(noise, frame: 960) { _ in -720 }.count == 9_600)
        #expect(Self.run(noise, frame: 960) { _ in -9_600 }.count < 9_000)
    }

    @Test(arguments: [1, 40, 119, 120, 240])
    func shortFramesAreSafe(frame: Int) {
        let sound = Self.voice(pitch: 300, milliseconds: 50)
        for wish in [-10_000, -120, -1, 1, 120, 10_000] {
            let stretched = Self.run(sound, frame: frame) { _ in wish }
            #expect(!stretched.isEmpty)
        }
    }
}
