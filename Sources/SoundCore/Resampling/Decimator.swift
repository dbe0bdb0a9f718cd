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
