import Glibc

/// Whether sound is a tone.
public enum Tones {
    /// Whether 95 % of the sound's power lies at these frequencies, and each is there.
    /// - Parameter sound: 48 kHz; at least 100 ms, to separate neighbours 10 Hz apart.
    public static func hold(_ frequencies: [Double], in sound: [Int16]) -> Bool {
        guard sound.count >= 4_800 else { return false }
        let total = sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count)
        guard total > 100 else { return false }
        let powers = frequencies.map { power(at: $0, in: sound) }
        return powers.allSatisfy { $0 > total / 10 } && powers.reduce(0, +) > 0.95 * total
    }

    /// A sine of height 1 at a frame of 48 kHz.
    public static func wave(at frequency: Double, frame: Int) -> Double {
        sin(2 * .pi * frequency * Double(frame) / Double(WaveFile.rate))
    }

    /// Mean power of one frequency, by Goertzel's algorithm.
    private static func power(at frequency: Double, in sound: [Int16]) -> Double {
        let step = 2 * cos(2 * .pi * frequency / Double(WaveFile.rate))
        var (newer, older) = (0.0, 0.0)
        for sample in sound { (newer, older) = (Double(sample) + step * newer - older, newer) }
        let squared = newer * newer + older * older - step * newer * older
        return 2 * squared / (Double(sound.count) * Double(sound.count))
    }
}
