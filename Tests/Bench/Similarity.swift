/// The similarity of heard and spoken sound: the delay at which they match best, and the segmental signal-to-noise
/// ratio there.
///
/// The delay is followed from segment to segment of 20 ms. A phone may change it while it plays, by steps or by
/// playing a tenth faster, which a listener accepts; its range is reported. The ratio is taken over the segments with
/// speech, each limited to -10...35 dB as usual, after one gain for all. A codec keeps what the ear needs and not the
/// waveform. So good speech through Opus scores around 8 to 15 dB; other speech scores below 0 dB.
/// - SeeAlso: J. H. L. Hansen, B. L. Pellom, "An effective quality evaluation protocol for speech enhancement
///   algorithms", ICSLP 1998 (segment limits).
public struct Similarity: Equatable, Sendable {
    /// Through Opus at its usual rates only good speech scores above this.
    public static let understood = 5.0
    /// The limit for transcoded speech: it scores 5.0 to 5.3, and around 3 if whole words are missing or late.
    private static let understoodTranscoded = 4.0

    public static func understood(isTranscoded: Bool) -> Double { isTranscoded ? understoodTranscoded : understood }

    /// The delay from a spoken sample to the same heard sample: the median over the segments.
    public let delayMilliseconds: Double
    /// The range of the delays of nine tenths of the segments: a lost segment is heard nowhere.
    public let delaySpreadMilliseconds: Double
    /// Normalised correlation at those delays, -1...1: the median over the segments.
    public let correlation: Double
    public let segmentalRatioDecibels: Double
    /// Segments that were compared.
    public let segments: Int

    private static let segmentSamples = 960
    /// How far the delay moves freely from one segment to the next: a tenth of it.
    private static let glide = 2 * 48

    /// Compares. Both begin at the same instant of the same clock, at 48 kHz.
    /// - Parameter longestDelay: the search goes from 0 to this, in milliseconds.
    /// - Returns: nil if either is silent or too short.
    public init?(said: [Int16], heard: [Int16], longestDelay: Int = 1_000) {
        let longest = longestDelay * 48
        guard said.count >= Self.segmentSamples, heard.count >= said.count + longest else { return nil }
        let aligner = Aligner(said: said, heard: heard)
        let places = aligner.places(segment: Self.segmentSamples, upTo: longest, glide: Self.glide)
        let ratios = aligner.ratios(at: places)
        guard !ratios.isEmpty else { return nil }
        let delays = places.map(\.lag).sorted()
        delayMilliseconds = Double(delays[delays.count / 2]) / 48
        delaySpreadMilliseconds = Double(delays[delays.count * 19 / 20] - delays[delays.count / 20]) / 48
        correlation = places.map(\.correlation).sorted()[places.count / 2]
        segmentalRatioDecibels = ratios.reduce(0, +) / Double(ratios.count)
        segments = ratios.count
    }
}
