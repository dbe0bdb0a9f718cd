/// How much what was heard is what was said: the delay at which they match best, and the segmental
/// signal-to-noise ratio there.
///
/// The delay is found anew for every quarter of a second, near the delay of the whole, and for every segment, near that:
/// a phone may change its delay while it plays, by steps or by playing half a percent faster, and a listener does not
/// mind; how far it moved is told. The ratio is taken over segments of 20 ms in which the
/// speaker speaks, each limited to -10...35 dB as is usual, after one gain for all. A codec keeps what the ear needs and
/// not the waveform, so good speech through Opus scores around 8 to 15 dB; other speech scores at or below 0 dB.
/// - SeeAlso: J. H. L. Hansen, B. L. Pellom, "An effective quality evaluation protocol for speech enhancement
///   algorithms", ICSLP 1998 (segment limits).
public struct Similarity: Equatable, Sendable {
    /// From a sample said to the same sample heard: the median over the stretches.
    public let delayMilliseconds: Double
    /// Between the shortest and the longest delay of any stretch.
    public let delaySpreadMilliseconds: Double
    /// Normalised correlation at those delays, -1...1: the median over the stretches.
    public let correlation: Double
    public let segmentalRatioDecibels: Double
    /// Segments that were compared.
    public let segments: Int

    private static let stretchSamples = 12_000
    private static let segmentSamples = 960
    /// How far a stretch's delay may be from the whole's: what a jitter buffer may move by.
    private static let wander = 100 * 48
    /// How far a segment's delay may be from its stretch's: what is played faster moves by a millisecond meanwhile.
    private static let wobble = 2 * 48

    /// Compares. Both begin at the same instant of the same clock, at 48 kHz.
    /// - Parameter longestDelay: the search goes from 0 to this, in milliseconds.
    /// - Returns: nil when either is silent or too short to tell.
    public init?(said: [Int16], heard: [Int16], longestDelay: Int = 1_000) {
        let longest = longestDelay * 48
        guard said.count >= Self.segmentSamples, heard.count >= said.count + longest else { return nil }
        let aligner = Aligner(said: said, heard: heard)
        guard let whole = aligner.bestLag(of: 0..<said.count, among: 0..<longest) else { return nil }
        let near = max(0, whole.lag - Self.wander)..<min(longest, whole.lag + Self.wander)
        let loudest = aligner.loudestSegment(of: Self.segmentSamples)
        var stretches: [Stretch] = []
        for start in stride(from: 0, to: said.count - Self.segmentSamples, by: Self.stretchSamples) {
            let range = start..<min(said.count, start + Self.stretchSamples)
            guard aligner.energySaid(in: range) > loudest, let best = aligner.bestLag(of: range, among: near) else {
                continue
            }
            stretches.append(Stretch(range: range, lag: best.lag, correlation: best.correlation))
        }
        let delays = stretches.map(\.lag).sorted()
        guard let shortest = delays.first, let latest = delays.last else { return nil }
        delayMilliseconds = Double(delays[delays.count / 2]) / 48
        delaySpreadMilliseconds = Double(latest - shortest) / 48
        correlation = stretches.map(\.correlation).sorted()[stretches.count / 2]
        let ratios = aligner.ratios(
            in: stretches, segment: Self.segmentSamples, floor: loudest / 1_000, wobble: Self.wobble)
        guard !ratios.isEmpty else { return nil }
        segmentalRatioDecibels = ratios.reduce(0, +) / Double(ratios.count)
        segments = ratios.count
    }
}

/// A part of what was said, with the delay at which it was heard, in samples.
struct Stretch {
    let range: Range<Int>
    let lag: Int
    let correlation: Double
}
