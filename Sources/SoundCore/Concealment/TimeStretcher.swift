/// Makes sound last a little longer or shorter without changing its pitch. One period of the voice is inserted or
/// removed where two pieces of sound are most similar, with a crossfade at the seam.
///
/// The method is waveform-similarity overlap-add (Verhelst and Roelands, ICASSP 1993), one step at a time. Sound that
/// is too quiet to matter is cut anywhere. Sound without a fitting period is left unchanged, unless a large stretch is
/// wanted.
/// Cost: O(count) for every frame, and about 20,000 multiplications for a frame that is stretched. No allocation after
/// `init`; for a real-time thread.
public struct TimeStretcher: ~Copyable, Sendable {
    /// Periods of 400 Hz to 67 Hz. The longest is also the most by which a frame is stretched.
    public static let shortestPeriod = SoundFormat.sampleRate / 400
    public static let longestPeriod = 15 * SoundFormat.samplesPerMillisecond
    private static let longestSeam = 5 * SoundFormat.samplesPerMillisecond
    /// The length of sound that is compared, if there is enough of it.
    private static let comparison = 10 * SoundFormat.samplesPerMillisecond
    /// The step between lags, and between samples, in the first search.
    private static let coarse = 6
    /// Below this similarity, -1...1, no seam is made. When the sound must be stretched by `urgent` or more, any
    /// similarity is enough.
    private static let likeness: Float = 0.6
    private static let urgent = 60 * SoundFormat.samplesPerMillisecond

    /// The end of the sound played before.
    private var past: [Int16]
    private var seam: [Int16]

    public init() {
        past = Array(repeating: 0, count: Self.longestPeriod)
        seam = Array(repeating: 0, count: Self.longestSeam)
    }

    /// Stretches a frame in place. Every frame that is played must pass, stretched or not, in order.
    /// - Parameters:
    ///   - samples: the frame, and room for `longestPeriod` more when it may be lengthened.
    ///   - count: samples of the frame.
    ///   - wanted: samples by which it should last longer or, when negative, shorter. It is never shortened by more,
    ///     but may be lengthened by more, because a whole period is put in.
    /// - Returns: the new number of samples in the frame.
    public mutating func apply(_ wanted: Int, to samples: inout MutableSpan<Int16>, count: Int) -> Int {
        var length = count
        if wanted < 0 { length -= shorten(&samples, count: count, wanted: -wanted) }
        if wanted > 0 { length += lengthen(&samples, count: count, wanted: wanted) }
        remember(samples.span.extracting(0..<length))
        return length
    }

    /// - Returns: samples taken out.
    private mutating func shorten(_ samples: inout MutableSpan<Int16>, count: Int, wanted: Int) -> Int {
        let length = min(Self.longestSeam, count / 3)
        let longest = min(Self.longestPeriod, count - length, wanted)
        guard let lag = period(in: samples.span.extracting(0..<count), ahead: true, longest: longest, wanted: wanted)
        else {
            return 0
        }
        for place in 0..<length {
            samples[place] = Self.blend(samples[place], samples[place + lag], place, of: length)
        }
        for place in length..<count - lag { samples[place] = samples[place + lag] }
        return lag
    }

    /// - Returns: samples put in.
    private mutating func lengthen(_ samples: inout MutableSpan<Int16>, count: Int, wanted: Int) -> Int {
        let length = min(Self.longestSeam, count)
        let longest = min(Self.longestPeriod, samples.count - count)
        guard let lag = period(in: samples.span.extracting(0..<count), ahead: false, longest: longest, wanted: wanted)
        else {
            return 0
        }
        for place in 0..<length { seam[place] = samples[place] }
        for place in stride(from: count - 1, through: 0, by: -1) { samples[place + lag] = samples[place] }
        for place in 0..<lag { samples[place] = past[past.count - lag + place] }
        for place in 0..<length {
            samples[place] = Self.blend(seam[place], samples[place], place, of: length)
        }
        return lag
    }

    private mutating func remember(_ played: Span<Int16>) {
        let new = min(played.count, past.count)
        for place in 0..<past.count - new { past[place] = past[place + new] }
        var target = past.mutableSpan
        target.put(played.extracting(last: new), at: target.count - new)
    }

    /// The lag at which the frame is most similar to the sound that far ahead in it, or behind it; nil when no lag
    /// fits.
    private func period(in frame: Span<Int16>, ahead: Bool, longest: Int, wanted: Int) -> Int? {
        guard longest >= Self.shortestPeriod else { return nil }
        if Level(of: frame).isQuiet { return min(longest, wanted) }
        var best = (lag: 0, likeness: -Float.infinity)
        for lag in stride(from: Self.shortestPeriod, through: longest, by: Self.coarse) {
            let found = likeness(of: frame, ahead: ahead, lag: lag, every: Self.coarse)
            if found > best.likeness { best = (lag, found) }
        }
        let near = max(Self.shortestPeriod, best.lag - Self.coarse)...min(longest, best.lag + Self.coarse)
        best.likeness = -.infinity
        for lag in near {
            let found = likeness(of: frame, ahead: ahead, lag: lag, every: 2)
            if found > best.likeness { best = (lag, found) }
        }
        return best.likeness >= Self.likeness || wanted >= Self.urgent ? best.lag : nil
    }

    /// The normalised correlation of the frame's beginning with the sound `lag` away.
    private func likeness(of frame: Span<Int16>, ahead: Bool, lag: Int, every step: Int) -> Float {
        let count = min(Self.comparison, ahead ? frame.count - lag : frame.count)
        var (product, here, there): (Float, Float, Float) = (0, 1, 1)
        for place in stride(from: 0, to: count, by: step) {
            let one = Float(frame[place])
            let other = Float(ahead ? frame[place + lag] : sample(place - lag, of: frame))
            product += one * other
            here += one * one
            there += other * other
        }
        return product / (here * there).squareRoot()
    }

    private func sample(_ place: Int, of frame: Span<Int16>) -> Int16 {
        place < 0 ? past[past.count + place] : frame[place]
    }

    private static func blend(_ old: Int16, _ new: Int16, _ place: Int, of length: Int) -> Int16 {
        let share = Sine.edge(place, of: length)
        return Mixer.saturate(Float(old) * (1 - share) + Float(new) * share)
    }
}
