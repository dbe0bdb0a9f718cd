/// Carries sound from one clock to another: from the ear's device, at whose moments the voices of far ends are decoded, to
/// the microphone's, at whose moments they are sent on to other far ends.
///
/// Two devices have moments of their own, and disagree by up to some 1,000 ppm about how many there are. So two and a half
/// quanta wait in between, and pass a little faster or slower the more or the fewer there are: 1,000 ppm leave 2 ms more
/// waiting, or less. Whatever begins, because enough waits, or is there again, begins gently.
/// Cost: that of `FractionalResampler`, some 40 multiplications a sample. No allocation after `init`; for a real-time
/// thread.
public struct ClockBridge: ~Copyable, Sendable {
    /// Seconds in which a difference goes down to a third.
    private static let settling = 2.0
    private static let largestCorrection = 0.005
    /// How much of each measurement counts: what passes within a third of a second is jitter.
    private static let smoothing = 1.0 / 32
    /// More than this above the usual is of a device that stood still: it is old, and goes.
    private static let spare = 40 * SoundFormat.samplesPerMillisecond

    private let quantum: Int
    private let usual: Int
    /// What waits: `start..<end`.
    private var sound: [Int16]
    private var start = 0
    private var end = 0
    private var isFlowing = false
    /// Of what waits, smoothed.
    private var level = 0.0
    private var resampler = FractionalResampler()
    private var ramp = GainRamp(gain: GainRamp.closed)

    /// - Parameter quantum: Samples that are written, and read, at a time.
    public init(quantum: Int) {
        precondition(quantum > 0, "a quantum has samples")
        self.quantum = quantum
        usual = quantum * 5 / 2
        sound = Array(repeating: 0, count: 2 * (usual + Self.spare + quantum))
    }

    /// Samples on their way.
    public var waiting: Int { end - start }

    /// What waits is over.
    public mutating func clear() {
        (start, end) = (0, 0)
        stop()
    }

    /// Takes at most a quantum in.
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

    /// Fills all of `output`; with silence, while there is too little.
    /// - Parameter gain: Reached in 5 ms.
    public mutating func read(into output: inout MutableSpan<Int16>, gain: Float) {
        if !isFlowing, waiting >= usual { (isFlowing, level) = (true, Double(usual)) }
        var place = 0
        if isFlowing {
            steer()
            ramp.set(gain)
            let played = Self.run(&resampler, sound, start..<end, into: &output)
            start += played.taken
            place = played.place
            ramp.apply(to: &output)
        }
        guard place < output.count else { return }
        for silent in place..<output.count { output[silent] = 0 }
        stop()
    }

    /// A function of its own, because a span of `sound` holds on to all of this value.
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
