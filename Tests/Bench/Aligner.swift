import Glibc

/// Two recordings of one clock, and the search for the delay between them.
struct Aligner {
    /// A segment and the delay at which it was heard, in samples.
    struct Place {
        let segment: Range<Int>
        let lag: Int
        let correlation: Double
    }

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

    /// All segments of that length except pauses, at delays that lead from one to the next. None if either is silent.
    /// - Parameter glide: how far the delay moves easily from a segment to its neighbour, in samples.
    func places(segment length: Int, upTo longest: Int, glide: Int) -> [Place] {
        let segments = stride(from: 0, to: said.count - length + 1, by: length).map { $0..<$0 + length }
        let energies = segments.map { Self.energy(said[$0]) }
        let floor = (energies.max() ?? 0) / 1_000
        let spoken = zip(segments, energies).filter { $1 > floor && $0.upperBound + longest <= heard.count }
        var path = DelayPath(reach: glide / Self.decimation)
        for (segment, _) in spoken { path.append(correlations(of: segment, upTo: longest)) }
        return zip(spoken, path.delays).map { spoken, delay in place(of: spoken.0, near: delay * Self.decimation) }
    }

    /// Signal-to-noise ratios in decibels of segments heard there, after one gain for all.
    func ratios(at places: [Place]) -> [Double] {
        let product = places.reduce(0) { $0 + Self.product(said, heard, $1.segment, at: $1.lag) }
        let gain = product / max(1, places.reduce(0) { $0 + Self.energy(said[$1.segment]) })
        guard gain > 0 else { return [] }
        return places.map { ratio(of: $0.segment, lag: $0.lag, gain: Float(gain)) }
    }

    /// The correlations at 6 kHz, by the delay in steps of `decimation`.
    private func correlations(of part: Range<Int>, upTo longest: Int) -> [Float] {
        let step = Self.decimation
        let coarse = part.lowerBound / step..<min(coarseSaid.count, part.upperBound / step)
        return Self.correlations(coarseSaid, coarseHeard, part: coarse, lags: 0..<longest / step)
    }

    /// The place of a segment, found to the sample.
    private func place(of segment: Range<Int>, near lag: Int) -> Place {
        let lags = max(0, lag - Self.refinement)..<min(lag + Self.refinement, heard.count - segment.upperBound + 1)
        let found = Self.correlations(said, heard, part: segment, lags: lags)
        let best = found.indices.max { found[$0] < found[$1] } ?? 0
        return Place(segment: segment, lag: lags.lowerBound + best, correlation: Double(found[best]))
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

    /// The correlations by delay, -1...1: -1 at silence or past the end.
    private static func correlations(
        _ said: [Float], _ heard: [Float], part: Range<Int>, lags: Range<Int>
    ) -> [Float] {
        let saidEnergy = energy(said[part])
        var heardEnergy: Double?
        return lags.map { lag in
            let (first, last) = (lag + part.lowerBound, lag + part.upperBound)
            guard last <= heard.count else { return -1 }
            // The window slides by one sample: its energy is updated, not computed again.
            let slid = heardEnergy.map { $0 - square(heard[first - 1]) + square(heard[last - 1]) }
            let energy = slid ?? energy(heard[first..<last])
            heardEnergy = energy
            guard saidEnergy > 0, energy > 1 else { return -1 }
            return Float(product(said, heard, part, at: lag) / (saidEnergy * energy).squareRoot())
        }
    }

    private static func square(_ value: Float) -> Double { Double(value) * Double(value) }
    private static func energy(_ samples: ArraySlice<Float>) -> Double { samples.reduce(0) { $0 + square($1) } }

    private static func product(_ said: [Float], _ heard: [Float], _ part: Range<Int>, at lag: Int) -> Double {
        var sum = 0.0
        for index in part { sum += Double(said[index] * heard[lag + index]) }
        return sum
    }
}
