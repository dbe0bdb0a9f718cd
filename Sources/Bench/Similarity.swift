import Glibc

/// How much what was heard is what was said: the delay at which they match best, and the segmental
/// signal-to-noise ratio there.
///
/// The ratio is taken over segments of 20 ms in which the speaker speaks, each limited to -10...35 dB as is usual,
/// after one gain for all. A codec keeps what the ear needs and not the waveform, so good speech through Opus scores
/// around 8 to 15 dB; other speech, or silence, scores at or below 0 dB.
/// - SeeAlso: J. H. L. Hansen, B. L. Pellom, "An effective quality evaluation protocol for speech enhancement
///   algorithms", ICSLP 1998 (segment limits).
public struct Similarity: Equatable, Sendable {
    /// From the first sample said to the same sample heard.
    public let delayMilliseconds: Double
    /// Normalised correlation at that delay, -1...1.
    public let correlation: Double
    public let segmentalRatioDecibels: Double
    /// Segments that were compared.
    public let segments: Int

    private static let decimation = 8
    private static let segmentSamples = 960
    private static let refinementSamples = 24

    /// Compares. Both begin at the same instant of the same clock, at 48 kHz.
    /// - Parameter longestDelay: the search goes from 0 to this, in milliseconds.
    /// - Returns: nil when either is silent or too short to tell.
    public init?(said: [Int16], heard: [Int16], longestDelay: Int = 1_000) {
        let longest = longestDelay * 48
        guard said.count >= Self.segmentSamples, heard.count >= said.count + longest else { return nil }
        let coarseSaid = Self.decimated(said)
        let coarseHeard = Self.decimated(heard)
        guard let coarse = Self.bestLag(coarseSaid, coarseHeard, lags: 0..<longest / Self.decimation) else {
            return nil
        }
        let around = coarse.lag * Self.decimation
        let range = max(0, around - Self.refinementSamples)..<min(longest, around + Self.refinementSamples)
        let fineSaid = said.map(Float.init)
        let fineHeard = heard.map(Float.init)
        guard let fine = Self.bestLag(fineSaid, fineHeard, lags: range) else { return nil }
        delayMilliseconds = Double(fine.lag) / 48
        correlation = fine.correlation
        (segmentalRatioDecibels, segments) = Self.segmentalRatio(fineSaid, Array(fineHeard[fine.lag...]))
        guard segments > 0 else { return nil }
    }

    private static func decimated(_ samples: [Int16]) -> [Float] {
        stride(from: 0, to: samples.count - decimation + 1, by: decimation).map { start in
            Float(samples[start..<start + decimation].reduce(0) { $0 + Int($1) }) / Float(decimation)
        }
    }

    private static func bestLag(_ said: [Float], _ heard: [Float], lags: Range<Int>) -> (lag: Int, correlation: Double)?
    {
        let saidEnergy = energy(said[...])
        guard saidEnergy > 0 else { return nil }
        var best: (lag: Int, correlation: Double)?
        var heardEnergy: Double?
        for lag in lags where lag + said.count <= heard.count {
            let window = heard[lag..<lag + said.count]
            // The window slides by one sample: its energy is kept up, not computed anew.
            heardEnergy =
                heardEnergy.map { $0 - square(heard[lag - 1]) + square(heard[lag + said.count - 1]) } ?? energy(window)
            guard let heardEnergy, heardEnergy > 1 else { continue }
            let correlation = product(said, heard, at: lag) / (saidEnergy * heardEnergy).squareRoot()
            if correlation > best?.correlation ?? -1 { best = (lag, correlation) }
        }
        return best
    }

    private static func segmentalRatio(_ said: [Float], _ heard: [Float]) -> (decibels: Double, segments: Int) {
        let saidEnergy = energy(said[...])
        let gain = Float(product(said, heard, at: 0) / saidEnergy)
        guard gain > 0 else { return (-10, 0) }
        let starts = stride(from: 0, to: min(said.count, heard.count) - segmentSamples, by: segmentSamples)
        let loudest = starts.map { energy(said[$0..<$0 + segmentSamples]) }.max() ?? 0
        var sum = 0.0
        var count = 0
        for start in starts {
            let signal = energy(said[start..<start + segmentSamples])
            // Pauses say nothing: only segments within 30 dB of the loudest count.
            guard signal > loudest / 1_000 else { continue }
            let noise = (start..<start + segmentSamples).reduce(0.0) { $0 + square(heard[$1] / gain - said[$1]) }
            sum += min(35, max(-10, decibels(signal / max(noise, 1e-9))))
            count += 1
        }
        return (count == 0 ? -10 : sum / Double(count), count)
    }

    private static func square(_ value: Float) -> Double { Double(value) * Double(value) }
    private static func energy(_ samples: ArraySlice<Float>) -> Double { samples.reduce(0) { $0 + square($1) } }

    private static func product(_ said: [Float], _ heard: [Float], at lag: Int) -> Double {
        var sum = 0.0
        for index in said.indices where lag + index < heard.count { sum += Double(said[index] * heard[lag + index]) }
        return sum
    }

    private static func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }
}
