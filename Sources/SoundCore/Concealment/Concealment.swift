/// Invents sound for missing packets by continuing the last pitch, after the idea of ITU-T G.711 Appendix I.
///
/// The last period is repeated; after 10 ms the last two periods and after 20 ms the last three, so that the sound does
/// not buzz. It keeps its level for 10 ms and has faded out after 60 ms. When real sound returns, the invented sound
/// continues under it for 4 to 10 ms and fades. The appendix delays all sound; this does not. It corrects a step at the
/// beginning of the invented sound over a quarter of a period instead.
/// Cost: O(count), and about 10⁴ multiplications when a gap begins; no allocation after `init`; for a real-time thread.
public struct Concealment: ~Copyable, Sendable {
    private static let periodsLimit = 3
    /// Milliseconds in which the invented sound keeps its level, and after which it has faded out.
    static let steadyMilliseconds = 10
    static let fadeEndMilliseconds = 60

    private let samplesPerMillisecond: Int
    private let shortestPeriod: Int
    private let longestPeriod: Int
    /// The newest sound, real or invented, oldest first: three of the longest periods and a quarter.
    private var history: [Float]
    /// A copy of `history` from the beginning of the gap.
    private var source: [Float]
    private var period: Int
    /// Samples invented in this gap; 0 outside of one.
    private var invented = 0
    /// The step between the last real sample and the first invented one.
    private var step: Float = 0

    /// - Parameter sampleRate: 8,000 or 16,000.
    public init(sampleRate: Int) {
        samplesPerMillisecond = sampleRate / 1_000
        shortestPeriod = 5 * samplesPerMillisecond
        longestPeriod = 15 * samplesPerMillisecond
        period = longestPeriod
        history = Array(repeating: 0, count: Self.periodsLimit * longestPeriod + longestPeriod / 4)
        source = history
    }

    /// Forgets all earlier sound.
    public mutating func reset() {
        for place in history.indices { history[place] = 0 }
        invented = 0
    }

    /// Processes real sound, the first `count` of `samples`: remembers it, and joins it to invented sound before it.
    public mutating func pass(_ count: Int, of samples: inout MutableSpan<Int16>) {
        if invented > 0 {
            let gap = invented / samplesPerMillisecond
            let length = min(count, min(4 + 4 * gap / 10, 10) * samplesPerMillisecond)
            for place in 0..<length {
                let share = Float(place + 1) / Float(length + 1)
                samples[place] = Mixer.saturate(Float(samples[place]) * share + next() * (1 - share))
            }
            invented = 0
        }
        remember(samples.span.extracting(0..<count))
    }

    /// Fills the first `count` of `samples` with invented sound.
    public mutating func invent(_ count: Int, into samples: inout MutableSpan<Int16>) {
        if invented == 0 { begin() }
        for place in 0..<count { samples[place] = Mixer.saturate(next()) }
        remember(samples.span.extracting(0..<count))
    }

    private mutating func remember(_ samples: Span<Int16>) {
        let kept = max(0, history.count - samples.count)
        for place in 0..<kept { history[place] = history[place + history.count - kept] }
        let skipped = samples.count - (history.count - kept)
        for place in kept..<history.count { history[place] = Float(samples[skipped + place - kept]) }
    }

    private mutating func begin() {
        for place in history.indices { source[place] = history[place] }
        period = findPeriod()
        step = source[source.count - 1] - source[source.count - 1 - period]
    }

    private mutating func next() -> Float {
        defer { invented += 1 }
        let time = invented / samplesPerMillisecond
        guard time < Self.fadeEndMilliseconds else { return 0 }
        let quarter = period / 4
        let periods = min(1 + time / Self.steadyMilliseconds, Self.periodsLimit)
        var value = repeated(periods)
        // A crossfade over a quarter of a period leads from fewer periods to more.
        let since = invented - (periods - 1) * Self.steadyMilliseconds * samplesPerMillisecond
        if periods > 1, since < quarter {
            let share = Float(since) / Float(quarter)
            value = value * share + repeated(periods - 1) * (1 - share)
        }
        if invented < quarter { value += step * (1 - Float(invented) / Float(quarter)) }
        let faded = invented - Self.steadyMilliseconds * samplesPerMillisecond
        let length = (Self.fadeEndMilliseconds - Self.steadyMilliseconds) * samplesPerMillisecond
        return faded > 0 ? value * (1 - Float(faded) / Float(length)) : value
    }

    /// The next sample when the last `periods` periods are repeated. The last quarter of a period is crossfaded into
    /// the sound before the first period, so that the end joins the beginning.
    private func repeated(_ periods: Int) -> Float {
        let length = periods * period
        let place = invented % length
        let left = length - place
        let value = source[source.count - left]
        let quarter = period / 4
        guard left <= quarter else { return value }
        let share = Float(left) / Float(quarter)
        return value * share + source[source.count - length - left] * (1 - share)
    }

    /// The lag at which the last 20 ms are most similar to the sound before them. The search goes in steps of a quarter
    /// millisecond, then around the best lag.
    private func findPeriod() -> Int {
        let coarse = samplesPerMillisecond / 4
        let near = best(among: stride(from: shortestPeriod, through: longestPeriod, by: coarse), every: coarse)
        let from = max(shortestPeriod, near - coarse + 1)
        return best(among: stride(from: from, through: min(longestPeriod, near + coarse - 1), by: 1), every: 1)
    }

    private func best(among lags: StrideThrough<Int>, every stride: Int) -> Int {
        let start = source.count - 20 * samplesPerMillisecond
        var (best, highest) = (longestPeriod, -Float.infinity)
        for lag in lags {
            var (product, energy): (Float, Float) = (0, 1)
            var place = start
            while place < source.count {
                product += source[place] * source[place - lag]
                energy += source[place - lag] * source[place - lag]
                place += stride
            }
            let likeness = product / energy.squareRoot()
            if likeness > highest { (best, highest) = (lag, likeness) }
        }
        return best
    }
}
