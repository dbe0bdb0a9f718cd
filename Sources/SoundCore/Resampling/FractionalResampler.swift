/// Plays sound a little faster or slower than it was recorded, to connect two clocks of different rates.
///
/// The filter is a windowed sinc of sixteen points, in 64 phases with linear interpolation between them. The speed may
/// change at any sample without a click, because the place in the sound never jumps. At a speed of exactly 1 and a
/// whole place, sound passes unchanged. The output is late by `delay` samples. With a sine of up to 8 kHz everything
/// else is 82 dB below it; with one of 12 kHz, 75 dB.
/// Cost: some 40 multiplications a sample, 0.8 ms for a second of sound. A speed of exactly 1 at a whole place costs
/// next to nothing. No allocation after `init`; for a real-time thread.
public struct FractionalResampler: Sendable {
    public static let delay = 8
    /// The speed is limited to 1 ± this.
    public static let limit = 0.01

    private static let taps = 16
    private static let phases = 64
    /// One sample in the unit of the phase.
    static let whole = Int64(1) << 32

    /// The weights of each phase, and of the first phase again, one sample later.
    private let table: [SIMD16<Float>]
    /// The last 16 samples, oldest first.
    private var recent = SIMD16<Float>()
    /// The distance of the next output sample from the middle of the recent ones, in 2⁻³² samples.
    private(set) var phase: UInt32 = 0
    private var step = UInt64(Self.whole)
    /// Input samples that are needed before the next output sample.
    private var due = 1

    public init() {
        table = (0...Self.phases).map { phase in
            var row = SIMD16<Float>()
            for tap in 0..<Self.taps { row[tap] = Self.weight(tap: tap, phase: phase) }
            return row
        }
    }

    /// How much faster sound goes out than it came in, as a share of the speed.
    @_noLocks
    public mutating func set(correction: Double) {
        let bounded = min(max(correction, -Self.limit), Self.limit)
        set(advance: Int64(bounded * Double(Self.whole)))
    }

    /// Sets how much faster sound goes out, in 2⁻³² samples for each sample; 0: at the same speed.
    @_noLocks
    mutating func set(advance: Int64) { step = UInt64(Self.whole + advance) }

    /// Fills `output` from `place` on as far as `input` lasts.
    /// - Parameter end: Where to stop filling; nil for the end of `output`.
    /// - Returns: The number of samples taken from `input`, and the place up to which `output` is filled.
    @_lifetime(output: copy output)
    public mutating func run(
        _ input: Span<Int16>, into output: inout MutableSpan<Int16>, from place: Int, to end: Int? = nil
    ) -> (taken: Int, place: Int) {
        let end = end ?? output.count
        // These copies stay in registers during the loop.
        var (recent, phase, due, taken, place) = (recent, phase, due, 0, place)
        defer { (self.recent, self.phase, self.due) = (recent, phase, due) }
        let isUnchanged = phase == 0 && step == UInt64(Self.whole)
        while place < end {
            if isUnchanged, due == 1 {
                // The same as the table does at whole places: all samples, late by `delay`.
                let part = input.extracting(taken..<taken + min(end - place, input.count - taken))
                let early = min(Self.delay, part.count)
                for index in 0..<early { output[place + index] = Int16(recent[Self.delay + index]) }
                output.put(part.extracting(droppingLast: early), at: place + early)
                for index in max(0, part.count - Self.taps)..<part.count { push(Float(part[index]), onto: &recent) }
                return (taken + part.count, place + part.count)
            }
            while due > 0 {
                guard taken < input.count else { return (taken, place) }
                push(Float(input[taken]), onto: &recent)
                taken += 1
                due -= 1
            }
            output[place] = Mixer.saturate(value(of: recent, at: phase))
            place += 1
            let next = UInt64(phase) &+ step
            due = Int(truncatingIfNeeded: next >> 32)
            phase = UInt32(truncatingIfNeeded: next)
        }
        return (taken, place)
    }

    /// Moves all samples by one, in registers. A ring in memory made the whole conversion five times as slow.
    @inline(__always)
    private func push(_ sample: Float, onto recent: inout SIMD16<Float>) {
        let (a, b, c, d) = quarters(of: recent)
        recent = SIMD16(
            lowHalf: SIMD8(lowHalf: SIMD4(a.y, a.z, a.w, b.x), highHalf: SIMD4(b.y, b.z, b.w, c.x)),
            highHalf: SIMD8(lowHalf: SIMD4(c.y, c.z, c.w, d.x), highHalf: SIMD4(d.y, d.z, d.w, sample)))
    }

    /// The sound at `phase`, interpolated between the results of the two nearest rows.
    @inline(__always)
    private func value(of recent: SIMD16<Float>, at phase: UInt32) -> Float {
        let row = Int(truncatingIfNeeded: phase >> 26)
        let between = Float(Int32(truncatingIfNeeded: phase & 0x03FF_FFFF)) * (1 / 67_108_864)
        let (one, other) = (sums(of: recent * table[row]), sums(of: recent * table[row + 1]))
        return (one + (other - one) * between).sum()
    }

    @inline(__always)
    private func sums(of products: SIMD16<Float>) -> SIMD4<Float> {
        let (a, b, c, d) = quarters(of: products)
        return (a + c) + (b + d)
    }

    @inline(__always)
    private func quarters(
        of values: SIMD16<Float>
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        let (low, high) = (values.lowHalf, values.highHalf)
        return (low.lowHalf, low.highHalf, high.lowHalf, high.highHalf)
    }

    /// A sinc under a Blackman window. Tap 7 is the sample at phase 0, tap 8 the one after it.
    private static func weight(tap: Int, phase: Int) -> Float {
        // Distance from the wanted point, in 64ths of a sample.
        let distance = (tap - 7) * phases - phase
        guard distance != 0 else { return 1 }
        guard distance % phases != 0 else { return 0 }
        let half = taps / 2 * phases
        let angle = Float.pi * Float(distance) / Float(phases)
        let sinc = Sine.value(turn(distance, of: 2 * phases), of: 2 * phases) / angle
        let window =
            0.42 + 0.5 * Sine.cosine(turn(distance, of: 2 * half), of: 2 * half)
            + 0.08 * Sine.cosine(turn(2 * distance, of: 2 * half), of: 2 * half)
        return sinc * window
    }

    private static func turn(_ steps: Int, of whole: Int) -> Int { ((steps % whole) + whole) % whole }
}

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
