/// Renders one tone at a time, without clicks and for any length of time.
///
/// Phases are counted in whole steps of 1/48,000 turn, so frequencies in whole Hz never drift. Every beginning and end
/// is a 5 ms raised cosine inside the segment's own length. A tone that replaces another one begins after the falling
/// edge of that tone. Cost: no allocation ever, a few multiplications a sample; for a real-time thread.
public struct ToneGenerator: Sendable {
    private static let modulationDepth: Float = 0.8

    private enum Course: Sendable {
        case idle, sounding
        /// The tone falls to silence.
        case stopping
        /// The tone falls to silence, and `next` begins after it.
        case changing
    }

    private var course = Course.idle
    /// This is not optional, because comparing a large optional with nil copies it, once for each sample.
    private var spec = ToneSpec()
    private var next = ToneSpec()
    private var segment = ToneSegment()
    private var index = 0
    /// The samples left of the segment; `Int.max` for a segment without length.
    private var remaining = 0
    private var amplitude: Float = 0
    private var phases = InlineArray<4, Int>(repeating: 0)
    private var modulationPhase = 0
    /// The position on the edge: 0 is silence, `edgeSamples` the full level.
    private var edge = 0

    public init() {}

    /// False when only silence would be rendered.
    public var isActive: Bool { course != .idle }

    private var isStopping: Bool { course == .stopping || course == .changing }

    /// Begins a tone, after the falling edge of the current one.
    public mutating func start(_ tone: ToneSpec) {
        guard isActive else {
            begin(tone)
            return
        }
        next = tone
        course = .changing
    }

    /// Ends the tone within 5 ms.
    public mutating func stop() {
        if isActive { course = .stopping }
    }

    /// Overwrites all of `output`.
    public mutating func render(into output: inout MutableSpan<Int16>) {
        var place = 0
        while place < output.count {
            if isActive, isStopping || !segment.isSilent {
                output[place] = sample()
                place += 1
            } else {
                let run = isActive ? min(remaining, output.count - place) : output.count - place
                for silent in place..<place + run { output[silent] = 0 }
                place += run
                if isActive { pass(run) }
            }
        }
    }

    private mutating func begin(_ tone: ToneSpec) {
        spec = tone
        course = .sounding
        edge = 0
        index = 0
        load(tone.segment(0), level: tone.level)
    }

    private mutating func load(_ segment: ToneSegment, level: Float) {
        self.segment = segment
        remaining =
            segment.milliseconds == 0 ? .max : Int(segment.milliseconds) * SoundFormat.samplesPerMillisecond
        phases = InlineArray(repeating: 0)
        modulationPhase = 0
        // Each frequency has the same power: 10·log₁₀(n) less than all of them together.
        let share = Double(max(1, segment.frequencyCount)).squareRoot()
        amplitude = Float(Decibels.amplitude(dBm0: Double(level)) / share)
    }

    private mutating func sample() -> Int16 {
        moveEdge()
        let value = segment.isSilent || edge == 0 ? 0 : wave() * edgeGain
        if isStopping, edge == 0 { finish() } else { pass(1) }
        return Mixer.saturate(value)
    }

    /// Counts samples of the segment as rendered.
    private mutating func pass(_ samples: Int) {
        guard remaining != .max else { return }
        remaining -= samples
        if remaining == 0 { loadNextSegment() }
    }

    private var edgeGain: Float {
        edge == SoundFormat.edgeSamples ? 1 : Sine.edge(edge, of: SoundFormat.edgeSamples)
    }

    /// The edge falls when the samples left are just enough for it.
    private mutating func moveEdge() {
        let opens = !segment.isSilent && !isStopping && remaining > edge + 1
        if opens {
            edge = min(edge + 1, SoundFormat.edgeSamples)
        } else if isStopping || remaining <= edge {
            edge = max(edge - 1, 0)
        }
    }

    private mutating func wave() -> Float {
        var sum: Float = 0
        for place in 0..<segment.frequencyCount {
            sum += Sine.value(phases[place], of: SoundFormat.sampleRate)
            phases[place] = Self.advance(phases[place], by: segment.frequency(place))
        }
        guard segment.modulation > 0 else { return sum * amplitude }
        let swing = Sine.value(modulationPhase, of: SoundFormat.sampleRate)
        modulationPhase = Self.advance(modulationPhase, by: segment.modulation)
        return sum * amplitude * (1 + Self.modulationDepth * swing) * (1 / (1 + Self.modulationDepth))
    }

    private static func advance(_ phase: Int, by frequency: UInt16) -> Int {
        let next = phase + Int(frequency)
        return next < SoundFormat.sampleRate ? next : next - SoundFormat.sampleRate
    }

    private mutating func loadNextSegment() {
        index += 1
        if index == spec.count {
            guard spec.repeats else { return finish() }
            index = 0
        }
        load(spec.segment(index), level: spec.level)
    }

    private mutating func finish() {
        if course == .changing {
            begin(next)
        } else {
            course = .idle
        }
    }
}

/// Sine and cosine of whole steps of a turn, by polynomial: exact phase, no table, no C library.
enum Sine {
    /// The sine of `step` turns divided by `steps`, which is a multiple of four. `step` is 0..<2·steps. Error
    /// below 10⁻⁶.
    /// Inlined, so that the divisions are by constants.
    @inline(__always)
    static func value(_ step: Int, of steps: Int) -> Float {
        let quarter = steps / 4
        let (quadrant, rest) = step.quotientAndRemainder(dividingBy: quarter)
        // Odd quadrants run backwards, the second half of the turn is negative.
        let angle = quarterWave(Float(quadrant & 1 == 0 ? rest : quarter - rest) * (1 / Float(quarter)))
        return quadrant & 2 == 0 ? angle : -angle
    }

    @inline(__always)
    static func cosine(_ step: Int, of steps: Int) -> Float { value(step + steps / 4, of: steps) }

    /// Half a raised cosine: 0 at 0, 1 at `length`, flat at both ends.
    @inline(__always)
    static func edge(_ position: Int, of length: Int) -> Float {
        0.5 - 0.5 * cosine(2 * position, of: 4 * length)
    }

    /// The Taylor series of sin(π/2 · share), share 0...1, up to the eleventh power.
    @inline(__always)
    private static func quarterWave(_ share: Float) -> Float {
        let x = share * (Float.pi / 2)
        let square = x * x
        // Multiplied by reciprocals: the compiler may not turn divisions into that, and they are slow.
        var sum = 1 - square * (1 / 110)
        sum = 1 - square * (1 / 72) * sum
        sum = 1 - square * (1 / 42) * sum
        sum = 1 - square * (1 / 20) * sum
        sum = 1 - square * (1 / 6) * sum
        return x * sum
    }
}
