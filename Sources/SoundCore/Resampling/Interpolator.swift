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
