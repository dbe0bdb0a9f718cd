/// Plays sound a little faster or slower on average than it was recorded. Most of the time sound passes unchanged. From
/// time to time it glides one sample ahead or back.
///
/// The difference of two clocks adds up until it is a whole sample. A glide corrects that within 1,024 samples: a
/// change of 0.1 %, less than two cents, for 21 ms. A larger change of the speed is applied all the time. Sound is
/// never further than two samples from its place at a steady speed, and late by `FractionalResampler.delay`.
/// Cost: that of `FractionalResampler` for the share of the time in which it glides, a tenth at 100 ppm; next to
/// nothing otherwise. No allocation after `init`; for a real-time thread.
public struct GlidingResampler: Sendable {
    private static let whole = FractionalResampler.whole
    /// The slowest glide, in 2⁻³² samples for each sample.
    private static let slowest = whole / 1_024

    private var resampler = FractionalResampler()
    /// The requested change of the speed, in the same unit.
    private var wanted: Int64 = 0
    /// How far the sound is behind its place at that speed, in 2⁻³² samples.
    private var owed: Int64 = 0
    /// True when the current or the last glide goes ahead.
    private var isAhead = true

    public init() {}

    /// How much faster sound goes out than it came in, as a share of the speed, ± `FractionalResampler.limit`.
    @_noLocks
    public mutating func set(correction: Double) {
        let bounded = min(max(correction, -FractionalResampler.limit), FractionalResampler.limit)
        wanted = Int64(bounded * Double(Self.whole))
    }

    /// Fills `output` from `place` on as far as `input` lasts.
    /// - Returns: The number of samples taken from `input`, and the place up to which `output` is filled.
    @_lifetime(output: copy output)
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

    /// The next change of the speed, and the number of samples for which it may hold.
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
        // The glide ends exactly at a whole sample.
        let (step, count) = left < Self.slowest ? (left, 1) : (Self.slowest, min(limit, Int(left / Self.slowest)))
        return (isAhead ? step : -step, count)
    }

    /// The number of samples until the difference is a whole sample.
    private func rest(atMost limit: Int) -> Int {
        guard wanted != 0 else { return limit }
        let missing = wanted > 0 ? Self.whole - owed : Self.whole + owed
        return min(limit, Int((missing + abs(wanted) - 1) / abs(wanted)))
    }
}
