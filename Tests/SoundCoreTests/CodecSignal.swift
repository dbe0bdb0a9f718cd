import Base

/// Sound for codecs: the same every time, made with integers only, so any program can reproduce it.
enum CodecSignal {
    /// Stretches of 20 ms at 16 kHz, each of another loudness, and of noise, a triangle, or both. Some are of full
    /// scale, some are silence.
    static func samples(count: Int, seed: UInt64 = 722) -> [Int16] {
        var random = SeededGenerator(seed: seed)
        var samples: [Int16] = []
        while samples.count < count {
            let shift = Int.random(in: 0...16, using: &random)
            let period = Int.random(in: 4...160, using: &random)
            let kind = Int.random(in: 0...2, using: &random)
            for place in 0..<320 {
                let noise = Int(Int16.random(in: .min ... .max, using: &random))
                let turn = place % period
                let triangle = (min(turn, period - turn) * 4 - period) * 32_767 / period
                let value = [noise, triangle, (noise + 3 * triangle) / 4][kind]
                samples.append(Int16(clamping: value >> shift))
            }
        }
        return Array(samples.prefix(count))
    }

    /// A sine of any frequency: a point that turns by the same angle for each sample.
    static func sine(_ frequency: Double, amplitude: Double, rate: Int = 48_000, count: Int) -> [Int16] {
        let angle = 2 * Double.pi * frequency / Double(rate)
        let (stepX, stepY) = (series(angle, first: 0), series(angle, first: 1))
        var (x, y) = (1.0, 0.0)
        return (0..<count).map { _ in
            defer { (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX) }
            return Int16((amplitude * y).rounded())
        }
    }

    /// The cosine (0) or sine (1) by its powers.
    static func series(_ angle: Double, first: Int) -> Double {
        var (term, sum) = (first == 0 ? 1.0 : angle, 0.0)
        for power in stride(from: first, to: 40, by: 2) {
            sum += term
            term *= -angle * angle / Double((power + 1) * (power + 2))
        }
        return sum
    }

    /// FNV-1a over 64 bits: distinguishes long runs of octets.
    static func digest(_ octets: some Sequence<UInt8>) -> UInt64 {
        octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The digest of samples, lower octet first.
    static func digest(_ samples: [Int16]) -> UInt64 {
        digest(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    }

    /// The difference's level below the received sound, in decibels, with `delay` samples between the two.
    static func ratio(said: [Int16], heard: [Int16], delay: Int) -> Double {
        var (signal, noise) = (0.0, 1e-9)
        for place in delay..<min(heard.count, said.count) {
            let (one, other) = (Double(said[place - delay]), Double(heard[place]))
            signal += one * one
            noise += (one - other) * (one - other)
        }
        // 10 log₁₀ as 20 log₁₀ of the root.
        return 20 * logarithm((signal / noise).squareRoot())
    }

    private static func logarithm(_ value: Double) -> Double {
        guard value > 0 else { return -100 }
        var (exponent, rest, sum, part) = (0.0, value, 0.0, 1.0)
        while rest >= 10 { (rest, exponent) = (rest / 10, exponent + 1) }
        while rest < 1 { (rest, exponent) = (rest * 10, exponent - 1) }
        for _ in 0..<40 {
            rest *= rest
            part /= 2
            if rest >= 10 { (rest, sum) = (rest / 10, sum + part) }
        }
        return exponent + sum
    }
}
