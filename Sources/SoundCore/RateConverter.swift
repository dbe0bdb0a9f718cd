/// Brings sound of any rate to 48 kHz: what files need.
///
/// Filters as `RateFilter` does, between any two samples, at the lower of both rates. Nothing is late: the first sample
/// out is the first one in. Sound of 48 kHz passes unchanged. Cost: 24 products for a sample out, in proportion more
/// above 48 kHz. Allocates what it returns, so it is not for a real-time thread.
public struct RateConverter: Sendable {
    /// Samples a second.
    public static let rates = 8_000...192_000

    /// Of the filter, for each sample of the lower rate; between them lies a straight line.
    private static let points = 256

    private let rate: Int
    /// Samples of the lower rate in one that comes in.
    private let scale: Float
    /// The filter from its middle outwards.
    private let kernel: [Float]
    /// How far the filter reaches to each side, in samples that come in.
    private let reach: Int
    /// From as far back as the filter reaches.
    private var recent: [Float]
    /// Where in `recent` the next sample out lies, and how far behind it, in 48,000ths: it never drifts.
    private var place: Int
    private var behind = 0

    /// - Precondition: the rate is one of `rates`.
    public init(from rate: Int) {
        precondition(Self.rates.contains(rate), "a rate that sound has")
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

    /// - Parameter input: As loud as 16 bits have it.
    /// - Returns: What can be said without knowing more.
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

    /// What is left, when nothing more comes in.
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
