/// Converts sound of any rate to 48 kHz, for files.
///
/// It applies the filter of `RateFilter` at any place between two samples, for the lower of both rates. The output is
/// not late: its first sample is the first one of the input. Sound of 48 kHz passes unchanged. Cost: 24 products for an
/// output sample, in proportion more above 48 kHz. It allocates what it returns, so it is not for a real-time thread.
public struct RateConverter: Sendable {
    /// Samples a second.
    public static let rates = 8_000...192_000

    /// Points of the filter for each sample of the lower rate, with linear interpolation between them.
    private static let points = 256

    private let rate: Int
    /// The number of samples of the lower rate for each input sample.
    private let scale: Float
    /// The filter from its middle outwards.
    private let kernel: [Float]
    /// How far the filter reaches to each side, in input samples.
    private let reach: Int
    /// The recent input, from as far back as the filter reaches.
    private var recent: [Float]
    /// The place of the next output sample: an index of `recent`, and the distance behind it in 1/48,000 samples. Both
    /// are exact, so the place never drifts.
    private var place: Int
    private var behind = 0

    /// - Precondition: the rate is one of `rates`.
    public init(from rate: Int) {
        precondition(Self.rates.contains(rate), "a supported sampling rate")
        self.rate = rate
        let lower = min(rate, SoundFormat.sampleRate)
        scale = Float(lower) / Float(rate)
        let taps = RateFilter.taps(factor: Self.points)
        let middle = RateFilter.delay(factor: Self.points)
        kernel = (0...middle).map { taps[middle - $0] / taps[middle] } + [0]
        reach = (RateFilter.span / 2 * rate + lower - 1) / lower
        recent = Array(repeating: 0, count: reach)
        place = reach
    }

    /// - Parameter input: Samples in the range of 16 bits.
    /// - Returns: All output that can be computed from the input so far.
    public mutating func convert(_ input: [Float]) -> [Int16] {
        recent += input
        var output: [Int16] = []
        output.reserveCapacity(input.count * SoundFormat.sampleRate / rate + 1)
        while place + reach < recent.count {
            output.append(Mixer.saturate(value))
            behind += rate
            place += behind / SoundFormat.sampleRate
            behind %= SoundFormat.sampleRate
        }
        let spent = place - reach
        recent.removeFirst(spent)
        place -= spent
        return output
    }

    /// The rest of the output after the end of the input.
    public mutating func finish() -> [Int16] { convert(Array(repeating: 0, count: reach)) }

    private var value: Float {
        let fraction = Float(behind) / Float(SoundFormat.sampleRate)
        let step = scale * Float(Self.points)
        var sum: Float = 0
        for offset in 1 - reach...reach {
            let distance = abs(Float(offset) - fraction) * step
            let point = Int(distance)
            guard point + 1 < kernel.count else { continue }
            let weight = kernel[point] + (kernel[point + 1] - kernel[point]) * (distance - Float(point))
            sum += weight * recent[place + offset]
        }
        return sum * scale
    }
}
