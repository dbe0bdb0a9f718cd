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

/// Lowers the rate of sound by a whole factor: 48 kHz to 8 or 16 kHz.
///
/// Delays by `RateFilter.delay` samples of the input (71 for a factor of 6, 35 for one of 3). Cost: 24 multiplications
/// for each input sample, no allocation after `init`; for a real-time thread.
public struct Decimator: ~Copyable, Sendable {
    private let factor: Int
    private let taps: [Float]
    /// The newest samples twice in a row, newest first, so that a window of them always lies in one piece.
    private var line: [Float]
    private var newest = 0

    public init(factor: Int) {
        self.factor = factor
        taps = RateFilter.taps(factor: factor).map { $0 / Float(factor) }
        line = Array(repeating: 0, count: 2 * taps.count)
    }

    /// Forgets all earlier sound.
    public mutating func reset() { for place in line.indices { line[place] = 0 } }

    /// - Precondition: a multiple of `factor` samples, and room for the result.
    @_lifetime(output: copy output)
    public mutating func process(_ input: Span<Int16>, into output: inout MutableSpan<Int16>) {
        let count = input.count / factor
        precondition(input.count == count * factor && output.count >= count, "whole samples of the lower rate")
        for place in 0..<count {
            for part in 0..<factor {
                newest = newest == 0 ? taps.count - 1 : newest - 1
                let sample = Float(input[place * factor + part])
                (line[newest], line[newest + taps.count]) = (sample, sample)
            }
            output[place] = Mixer.saturate(RateFilter.sum(line, from: newest, taps, from: 0, count: taps.count))
        }
    }
}

/// Raises the rate of sound by a whole factor: 8 or 16 kHz to 48 kHz. The filter is polyphase, so that it never
/// multiplies by an inserted zero.
///
/// Delays by `RateFilter.delay` samples of the output (71 for a factor of 6, 35 for one of 3). Cost: 24 multiplications
/// for each output sample, no allocation after `init`; for a real-time thread.
public struct Interpolator: ~Copyable, Sendable {
    private let factor: Int
    /// The taps of each phase, one after the other.
    private let phases: [Float]
    /// The newest samples twice in a row, newest first, so that a window of them always lies in one piece.
    private var line: [Float]
    private var newest = 0

    public init(factor: Int) {
        self.factor = factor
        let taps = RateFilter.taps(factor: factor)
        phases = (0..<factor).flatMap { phase in stride(from: phase, to: taps.count, by: factor).map { taps[$0] } }
        line = Array(repeating: 0, count: 2 * RateFilter.span)
    }

    /// Forgets all earlier sound.
    public mutating func reset() { for place in line.indices { line[place] = 0 } }

    /// - Precondition: room for `factor` samples for each sample.
    @_lifetime(output: copy output)
    public mutating func process(_ input: Span<Int16>, into output: inout MutableSpan<Int16>) {
        precondition(output.count >= factor * input.count, "room for the raised rate")
        for place in input.indices {
            newest = newest == 0 ? RateFilter.span - 1 : newest - 1
            let sample = Float(input[place])
            (line[newest], line[newest + RateFilter.span]) = (sample, sample)
            for phase in 0..<factor {
                let value = RateFilter.sum(
                    line, from: newest, phases, from: phase * RateFilter.span, count: RateFilter.span)
                output[place * factor + phase] = Mixer.saturate(value)
            }
        }
    }
}
