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
