import Base
import SoundCore
import Testing

@Suite struct ChirpTests {
    private func noise(_ count: Int, amplitude: Int16, seed: UInt64) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: -amplitude...amplitude, using: &generator) }
    }

    /// The noise is as loud as the chirp at a twentieth of its loudness; one chirp is upside down, as some amplifiers
    /// have it.
    @Test(arguments: [(0, 1.0), (1, 0.05), (7_777, -0.5), (9_600, 0.2)])
    func chirpIsFoundToSample(_ place: Int, _ gain: Double) {
        var sound = noise(12_000, amplitude: 1_000, seed: 1)
        for (index, sample) in Chirp.samples.enumerated() {
            sound[place + index] = Int16(clamping: Int(sound[place + index]) + Int(Double(sample) * gain))
        }
        #expect(Chirp.place(in: sound) == place)
    }

    @Test func noiseSilenceAndTonesAreNoChirp() {
        #expect(Chirp.place(in: noise(12_000, amplitude: 20_000, seed: 2)) == nil)
        #expect(Chirp.place(in: [Int16](repeating: 0, count: 12_000)) == nil)
        #expect(Chirp.place(in: (0..<12_000).map { Int16(8_000 * Signal.sine(Double($0) / 48)) }) == nil)
        #expect(Chirp.place(in: []) == nil)
    }

    @Test func chirpStartsAndEndsSoftly() {
        #expect(Chirp.samples.count == Chirp.count)
        #expect(Chirp.samples.first == 0 && Chirp.samples.last == 0)
        #expect(Chirp.samples.allSatisfy { abs(Int($0)) <= 16_384 })
    }
}
