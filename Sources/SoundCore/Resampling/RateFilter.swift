/// The low-pass filter for changes of the sample rate: a windowed sinc (Kaiser, 60 dB), cut off at half of the lower
/// rate.
///
/// Flat up to 0.425 of the lower rate (3.4 kHz of 8), silent from 0.575 on (4.6 kHz). Every conversion by a whole
/// factor adds its group delay, `delay(factor:)` samples of the higher rate. That is 1.48 ms between 8 and 48 kHz, and
/// 0.73 ms between 16 and 48 kHz.
enum RateFilter {
    /// Taps for each sample of the lower rate. A multiple of four: see `sum`.
    static let span = 24
    /// Kaiser's β for 60 dB.
    private static let beta = 5.65

    static func delay(factor: Int) -> Int { span * factor / 2 - 1 }

    /// `span * factor` coefficients at the higher rate, whose sum is `factor`. The last one is 0, so that the delay is
    /// a whole number of samples.
    static func taps(factor: Int) -> [Float] {
        precondition(factor > 1, "a change of rate")
        let centre = delay(factor: factor)
        let taps = (0..<span * factor).map { place in
            place > 2 * centre ? 0 : tap(abs(place - centre), of: centre + 1, factor: factor)
        }
        let sum = taps.reduce(0, +)
        return taps.map { $0 * Float(factor) / sum }
    }

    private static func tap(_ distance: Int, of reach: Int, factor: Int) -> Float {
        let share = Double(distance) / Double(reach)
        let window = bessel(beta * (1 - share * share).squareRoot()) / bessel(beta)
        guard distance > 0 else { return Float(window) }
        // A whole turn is 2 · factor samples.
        let sine = Sine.value(2 * distance % (4 * factor), of: 4 * factor)
        return sine / (Float.pi * Float(distance) / Float(factor)) * Float(window)
    }

    /// The modified Bessel function of order zero.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for index in 1...24 {
            term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
            sum += term
        }
        return sum
    }

    /// The sum of `count` products, a multiple of four. Four sums run in parallel, because in a single sum each
    /// addition would wait for the one before.
    @inline(__always)
    static func sum(_ one: [Float], from first: Int, _ other: [Float], from second: Int, count: Int) -> Float {
        var sums = SIMD4<Float>.zero
        var place = 0
        while place < count {
            let (left, right) = (first + place, second + place)
            sums +=
                SIMD4(one[left], one[left + 1], one[left + 2], one[left + 3])
                * SIMD4(other[right], other[right + 1], other[right + 2], other[right + 3])
            place += 4
        }
        return sums.sum()
    }
}
