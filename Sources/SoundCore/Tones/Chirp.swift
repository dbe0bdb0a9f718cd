/// A sound that can be located to the sample, even when the path has changed its spectrum: 300 to 3,400 Hz in 50 ms.
public enum Chirp {
    public static let count = 50 * SoundFormat.samplesPerMillisecond
    /// The correlation above which the chirp is found. Noise and other tones correlate less. The effect of rooms and
    /// transducers on the chirp was not measured.
    private static let certain: Float = 0.3

    /// The chirp's samples, at half of full scale.
    public static let samples: [Int16] = {
        var phase = 0
        return (0..<count).map { place in
            let edge = min(place, count - 1 - place, SoundFormat.edgeSamples)
            defer { phase = (phase + 300 + 3_100 * place / count) % SoundFormat.sampleRate }
            let gain = Sine.edge(edge, of: SoundFormat.edgeSamples)
            return Int16(16_384 * gain * Sine.value(phase, of: SoundFormat.sampleRate))
        }
    }()

    /// Where the chirp begins in `sound`; nil when `sound` does not contain it. Cost: O(count of `sound` · `count`).
    public static func place(in sound: [Int16]) -> Int? {
        guard sound.count >= count else { return nil }
        let (chirp, heard) = (samples.map(Float.init), sound.map(Float.init))
        let own = chirp.reduce(0) { $0 + $1 * $1 }
        var best: (place: Int, likeness: Float)?
        for place in 0...heard.count - count {
            var (product, energy): (Float, Float) = (0, 1)
            for index in 0..<count {
                product += chirp[index] * heard[place + index]
                energy += heard[place + index] * heard[place + index]
            }
            let likeness = abs(product) / (own * energy).squareRoot()
            if likeness > best?.likeness ?? certain { best = (place, likeness) }
        }
        return best?.place
    }
}
