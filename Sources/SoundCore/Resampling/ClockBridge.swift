/// Passes sound from one clock to another. For example, the playback device's clock decodes the voices of far ends, and
/// the capture device's clock sends them on to other far ends.
///
/// Two devices have different clocks, and their rates differ by up to some 1,000 ppm. So two and a half quanta of sound
/// wait in between. Sound passes a little faster when more waits, and a little slower when less waits: at 1,000 ppm, 2
/// ms more or less. Sound that begins, at the start or after an interruption, fades in.
///
/// Cost: that of `FractionalResampler`, some 40 multiplications a sample. No allocation after `init`; for a real-time
/// thread.
public struct ClockBridge: ~Copyable, Sendable {
    /// The time in seconds in which a difference shrinks to a third.
    private static let settling = 2.0
    private static let largestCorrection = 0.005
    /// The weight of each measurement. A change that passes within a third of a second is jitter.
    private static let smoothing = 1.0 / 32
    /// A larger surplus than this above the usual level comes from a stalled device. That sound is old and is dropped.
    private static let spare = 40 * SoundFormat.samplesPerMillisecond

    private let quantum: Int
    private let usual: Int
    /// The waiting sound is `start..<end`.
    private var sound: [Int16]
    private var start = 0
    private var end = 0
    private var isFlowing = false
    /// The number of waiting samples, smoothed.
    private var level = 0.0
    private var resampler = FractionalResampler()
    private var ramp = GainRamp(gain: GainRamp.closed)

    /// - Parameter quantum: Samples per write, and per read.
    public init(quantum: Int) {
        precondition(quantum > 0, "a quantum has samples")
        self.quantum = quantum
        usual = quantum * 5 / 2
        sound = Array(repeating: 0, count: 2 * (usual + Self.spare + quantum))
    }

    /// Waiting samples.
    public var waiting: Int { end - start }

    /// Drops the waiting sound.
    public mutating func clear() {
        (start, end) = (0, 0)
        stop()
    }

    /// Adds at most a quantum of sound.
    public mutating func write(_ samples: Span<Int16>) {
        precondition(samples.count <= quantum, "more than a quantum")
        if waiting > usual + Self.spare {
            start = end - usual
            stop()
        }
        if end + samples.count > sound.count {
            for place in start..<end { sound[place - start] = sound[place] }
            (start, end) = (0, end - start)
        }
        for place in 0..<samples.count { sound[end + place] = samples[place] }
        end += samples.count
    }

    /// Fills all of `output`, with silence where there is too little sound.
    /// - Parameter gain: The gain, which is reached in 5 ms.
    public mutating func read(into output: inout MutableSpan<Int16>, gain: Float) {
        if !isFlowing, waiting >= usual { (isFlowing, level) = (true, Double(usual)) }
        var place = 0
        if isFlowing {
            steer()
            let played = Self.run(&resampler, sound, start..<end, into: &output)
            start += played.taken
            place = played.place
            ramp.apply(gain, to: &output)
        }
        guard place < output.count else { return }
        for silent in place..<output.count { output[silent] = 0 }
        stop()
    }

    /// This is a static function, because a span of `sound` would keep access to all of this value.
    private static func run(
        _ resampler: inout FractionalResampler, _ sound: [Int16], _ range: Range<Int>,
        into output: inout MutableSpan<Int16>
    ) -> (taken: Int, place: Int) {
        resampler.run(sound.span.extracting(range), into: &output, from: 0)
    }

    private mutating func stop() {
        isFlowing = false
        ramp = GainRamp(gain: GainRamp.closed)
    }

    private mutating func steer() {
        level += (Double(waiting) - level) * Self.smoothing
        let wanted = (level - Double(usual)) / (Self.settling * Double(SoundFormat.sampleRate))
        resampler.set(correction: min(max(wanted, -Self.largestCorrection), Self.largestCorrection))
    }
}
