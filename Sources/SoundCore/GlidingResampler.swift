/// Plays sound a little faster or slower than it was made, on average: as it came for most of the time, and now and then a
/// sample ahead or back.
///
/// What two clocks disagree by gathers until it is a whole sample, and that is made up for within 1,024: 0.1 %, less than
/// two cents, for 21 ms. A speed that is further off is kept all the time. Sound is never further than two samples from
/// where a steady speed would have it, and late by `FractionalResampler.delay`.
/// Cost: that of `FractionalResampler` for the share of the time in which it glides, a tenth at 100 ppm; next to nothing
/// else. No allocation after `init`; for a real-time thread.
public struct GlidingResampler: Sendable {
    private static let whole = FractionalResampler.whole
    /// The slowest glide, in 2⁻³² samples for each one.
    private static let slowest = whole / 1_024

    private var resampler = FractionalResampler()
    /// The speed that is asked for, in the same.
    private var wanted: Int64 = 0
    /// By how much sound is behind where that speed would have it, in 2⁻³² samples.
    private var owed: Int64 = 0
    /// Which way the last glide goes, or went.
    private var isAhead = true

    public init() {}

    /// How much faster than it came in sound goes out, as a share of the speed, ± `FractionalResampler.limit`.
    @_noLocks
    public mutating func set(correction: Double) {
        let bounded = min(max(correction, -FractionalResampler.limit), FractionalResampler.limit)
        wanted = Int64(bounded * Double(Self.whole))
    }

    /// Fills `output` from `place` on as far as `input` lasts.
    /// - Returns: Samples taken of `input`, and the place that `output` is filled to.
    public mutating func run(
        _ input: Span<Int16>, into output: inout MutableSpan<Int16>, from place: Int
    ) -> (taken: Int, place: Int) {
        var (taken, place) = (0, place)
        while place < output.count {
            let (advance, count) = next(atMost: output.count - place)
            resampler.set(advance: advance)
            let result = resampler.run(
                input.extracting(taken...), into: &output, from: place, to: place + count)
            let made = result.place - place
            owed += Int64(made) * (wanted - advance)
            (taken, place) = (taken + result.taken, result.place)
            if made < count { break }
        }
        return (taken, place)
    }

    /// What to do next, and for how many samples at the most.
    private mutating func next(atMost limit: Int) -> (advance: Int64, count: Int) {
        guard abs(wanted) < Self.slowest else {
            isAhead = wanted > 0
            return (wanted, limit)
        }
        let phase = Int64(resampler.phase)
        if phase == 0 {
            guard abs(owed) >= Self.whole else { return (0, rest(atMost: limit)) }
            isAhead = owed > 0
        }
        let left = isAhead || phase == 0 ? Self.whole - phase : phase
        // It ends at a whole sample exactly.
        let (step, count) = left < Self.slowest ? (left, 1) : (Self.slowest, min(limit, Int(left / Self.slowest)))
        return (isAhead ? step : -step, count)
    }

    /// Samples until a whole one has gathered.
    private func rest(atMost limit: Int) -> Int {
        guard wanted != 0 else { return limit }
        let missing = wanted > 0 ? Self.whole - owed : Self.whole + owed
        return min(limit, Int((missing + abs(wanted) - 1) / abs(wanted)))
    }
}
