import Glibc

/// Two recordings of one clock, and the search for the delay between them.
struct Aligner {
    private static let decimation = 8
    private static let refinement = 24

    private let said: [Float]
    private let heard: [Float]
    private let coarseSaid: [Float]
    private let coarseHeard: [Float]

    init(said: [Int16], heard: [Int16]) {
        self.said = said.map(Float.init)
        self.heard = heard.map(Float.init)
        coarseSaid = Self.decimated(said)
        coarseHeard = Self.decimated(heard)
    }

    /// The delay at which this part correlates best: first at 6 kHz, then to the sample. Nil when either is silent.
    func bestLag(of part: Range<Int>, among lags: Range<Int>) -> (lag: Int, correlation: Double)? {
        let step = Self.decimation
        let coarsePart = part.lowerBound / step..<min(coarseSaid.count, part.upperBound / step)
        let coarse = Self.search(
            coarseSaid, coarseHeard, part: coarsePart, lags: lags.lowerBound / step..<lags.upperBound / step)
        guard let around = coarse.map({ $0.lag * step }) else { return nil }
        let fine = max(0, around - Self.refinement)..<around + Self.refinement
        return Self.search(said, heard, part: part, lags: fine)
    }

    func energySaid(in range: Range<Int>) -> Double { Self.energy(said[range]) }

    /// Energy of the loudest segment that was said.
    func loudestSegment(of length: Int) -> Double {
        stride(from: 0, to: said.count - length, by: length).map { Self.energy(said[$0..<$0 + length]) }.max() ?? 0
    }

    /// Signal-to-noise ratios in decibels of all segments that are not pauses, each at the delay near its stretch's at
    /// which it matches best.
    func ratios(in stretches: [Stretch], segment: Int, floor: Double, wobble: Int) -> [Double] {
        let places = stretches.flatMap { stretch in
            stride(from: stretch.range.lowerBound, to: stretch.range.upperBound - segment + 1, by: segment).compactMap {
                place(of: $0..<$0 + segment, near: stretch.lag, floor: floor, wobble: wobble)
            }
        }
        let product = places.reduce(0) { $0 + Self.product(said, heard, $1.segment, at: $1.lag) }
        let gain = product / max(1, places.reduce(0) { $0 + Self.energy(said[$1.segment]) })
        guard gain > 0 else { return [] }
        return places.map { ratio(of: $0.segment, lag: $0.lag, gain: Float(gain)) }
    }

    private func place(
        of segment: Range<Int>, near lag: Int, floor: Double, wobble: Int
    ) -> (segment: Range<Int>, lag: Int)? {
        let lags = max(0, lag - wobble)..<lag + wobble
        guard Self.energy(said[segment]) > floor, segment.upperBound + lags.upperBound <= heard.count else {
            return nil
        }
        return (segment, Self.search(said, heard, part: segment, lags: lags)?.lag ?? lag)
    }

    private func ratio(of segment: Range<Int>, lag: Int, gain: Float) -> Double {
        let noise = segment.reduce(0.0) { $0 + Self.square(heard[$1 + lag] / gain - said[$1]) }
        return min(35, max(-10, 10 * log10(Self.energy(said[segment]) / max(noise, 1e-9))))
    }

    private static func decimated(_ samples: [Int16]) -> [Float] {
        stride(from: 0, to: samples.count - decimation + 1, by: decimation).map { start in
            Float(samples[start..<start + decimation].reduce(0) { $0 + Int($1) }) / Float(decimation)
        }
    }

    private static func search(
        _ said: [Float], _ heard: [Float], part: Range<Int>, lags: Range<Int>
    ) -> (lag: Int, correlation: Double)? {
        let saidEnergy = energy(said[part])
        guard saidEnergy > 0 else { return nil }
        var best: (lag: Int, correlation: Double)?
        var heardEnergy: Double?
        for lag in lags where lag + part.upperBound <= heard.count {
            let (first, last) = (lag + part.lowerBound, lag + part.upperBound)
            // The window slides by one sample: its energy is kept up, not computed anew.
            heardEnergy =
                heardEnergy.map { $0 - square(heard[first - 1]) + square(heard[last - 1]) }
                ?? energy(heard[first..<last])
            guard let heardEnergy, heardEnergy > 1 else { continue }
            let correlation = product(said, heard, part, at: lag) / (saidEnergy * heardEnergy).squareRoot()
            if correlation > best?.correlation ?? -1 { best = (lag, correlation) }
        }
        return best
    }

    private static func square(_ value: Float) -> Double { Double(value) * Double(value) }
    private static func energy(_ samples: ArraySlice<Float>) -> Double { samples.reduce(0) { $0 + square($1) } }

    private static func product(_ said: [Float], _ heard: [Float], _ part: Range<Int>, at lag: Int) -> Double {
        var sum = 0.0
        for index in part where lag + index < heard.count { sum += Double(said[index] * heard[lag + index]) }
        return sum
    }
}
