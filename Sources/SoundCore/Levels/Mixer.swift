/// Adds streams with gains. Only the sum is limited to 16 bits, so loud parts that cancel do not distort.
///
/// For each frame, call `begin`, then `add` for each stream, then `finish`. All memory is allocated in `init`; one
/// thread.
public struct Mixer: ~Copyable, Sendable {
    private var sums: [Float]
    private var count = 0
    /// True while nothing was added to the frame; `sums` then still holds the frame before.
    private var isEmpty = true

    /// - Parameter capacity: Samples of the longest frame.
    public init(capacity: Int) {
        precondition(capacity > 0, "a frame has samples")
        sums = Array(repeating: 0, count: capacity)
    }

    /// Starts a frame of `count` samples of silence.
    public mutating func begin(count: Int) {
        precondition(count <= sums.count, "the frame is longer than the mixer was made for")
        self.count = count
        isEmpty = true
    }

    /// Adds a stream. A stream that is shorter than the frame is silent at its end, a longer one is cut.
    public mutating func add(_ samples: Span<Int16>, gain: Float = 1) {
        let length = min(count, samples.count)
        guard isEmpty else {
            for place in 0..<length { sums[place] += Float(samples[place]) * gain }
            return
        }
        isEmpty = false
        for place in 0..<length { sums[place] = Float(samples[place]) * gain }
        for place in length..<count { sums[place] = 0 }
    }

    /// Writes the frame to the start of `output`.
    @_noLocks
    public mutating func finish(into output: inout MutableSpan<Int16>) {
        precondition(output.count >= count, "no room for the frame")
        guard !isEmpty else {
            for place in 0..<count { output[place] = 0 }
            return
        }
        for place in 0..<count { output[place] = Self.saturate(sums[place]) }
    }

    /// Adds the frame to the start of `output`, without one of its streams, which was added at a gain of 1. The far end
    /// of that stream hears the result: all others, but never itself, because sums of up to 256 streams are exact.
    @_lifetime(output: copy output)
    public func join(_ output: inout MutableSpan<Int16>, without own: Span<Int16>) {
        precondition(output.count >= count && own.count >= count, "no room for the frame")
        guard !isEmpty else { return }
        for place in 0..<count {
            let others = sums[place] - Float(own[place])
            output[place] = Self.saturate(Float(output[place]) + others)
        }
    }

    /// Rounds to the nearest whole number in range, and to the even one between two. Next to 1.5 · 2²³ a Float has no
    /// fractional bits, and its last 16 bits are the number. This needs no branch and no conversion that could trap.
    @inline(__always)
    static func saturate(_ value: Float) -> Int16 {
        let bounded = min(max(value, -32_768), 32_767)
        return Int16(truncatingIfNeeded: (bounded + 12_582_912).bitPattern)
    }
}

/// A gain that never jumps: every change takes 5 ms along a raised cosine. It serves the microphone gate and the
/// volume.
///
/// Cost: O(count), no allocation; nothing at all at a steady gain of 1. For a real-time thread.
public struct GainRamp: Equatable, Sendable {
    public static let open: Float = 1
    public static let closed: Float = 0

    private var start: Float
    private var target: Float
    /// The number of samples since the change began; `edgeSamples` when it is over.
    private var position = SoundFormat.edgeSamples

    public init(gain: Float) {
        precondition(gain >= 0 && gain.isFinite, "a gain is a positive factor")
        start = gain
        target = gain
    }

    /// The gain of the next sample.
    public var gain: Float {
        guard position < SoundFormat.edgeSamples else { return target }
        return start + (target - start) * Sine.edge(position, of: SoundFormat.edgeSamples)
    }

    /// True when the output is silent until another gain is set.
    public var isSilent: Bool { position == SoundFormat.edgeSamples && target == 0 }

    /// Multiplies the samples by a gain, moving there from the current gain.
    public mutating func apply(_ gain: Float, to samples: inout MutableSpan<Int16>) {
        precondition(gain >= 0 && gain.isFinite, "a gain is a positive factor")
        if gain != target { (start, target, position) = (self.gain, gain, 0) }
        if position == SoundFormat.edgeSamples, target == 1 { return }
        var place = 0
        while place < samples.count, position < SoundFormat.edgeSamples {
            samples[place] = Mixer.saturate(Float(samples[place]) * self.gain)
            position += 1
            place += 1
        }
        for steady in place..<samples.count { samples[steady] = Mixer.saturate(Float(samples[steady]) * target) }
    }
}
