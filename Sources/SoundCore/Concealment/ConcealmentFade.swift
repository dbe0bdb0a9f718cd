/// Fades concealed sound into the background noise of the far end. A codec that conceals for long begins to hum and
/// buzz, and complete silence sounds like the end of the call.
///
/// Real sound fades in within 5 ms, unless the codec fades it in itself. Cost: O(count), no allocation; for the
/// real-time thread of playback.
public struct ConcealmentFade: Equatable, Sendable {
    public static let patienceMilliseconds = 120
    public static let fadeMilliseconds = 60

    /// How a codec conceals.
    public enum Concealment: Equatable, Sendable {
        /// The codec conceals as long as the caller asks (Opus). The first 120 ms in a row pass unchanged, the next 60
        /// ms fade.
        case lasting
        /// The concealment fades itself, as in the telephone codecs. It is not changed, and the noise rises as it
        /// falls.
        case fading

        /// `patience` is the number of samples before the noise begins. `fall` is the decrease of the gain for each
        /// sample after that.
        fileprivate var patience: Int {
            SoundFormat.samplesPerMillisecond
                * (self == .lasting ? patienceMilliseconds : SoundCore.Concealment.steadyMilliseconds)
        }
        fileprivate var fall: Float {
            let milliseconds =
                self == .lasting
                ? fadeMilliseconds
                : SoundCore.Concealment.fadeEndMilliseconds - SoundCore.Concealment.steadyMilliseconds
            return 1 / Float(milliseconds * SoundFormat.samplesPerMillisecond)
        }
        /// Telephone codecs fade real sound in over up to 10 ms.
        fileprivate var rise: Float {
            1 / Float(self == .lasting ? SoundFormat.edgeSamples : 2 * SoundFormat.edgeSamples)
        }
    }

    /// The concealment of the current codec. The learned noise is kept when it changes.
    public var concealment: Concealment
    /// Samples invented in a row, counted up to the patience.
    private var invented = 0
    /// The gain of the concealed sound; for `fading`, the assumed gain of the codec itself. The noise supplies the
    /// missing power.
    private var gain: Float = 1
    private var noise = ComfortNoise()

    public init(of concealment: Concealment = .lasting) { self.concealment = concealment }

    /// True when concealed sound is no longer audible.
    public var isOver: Bool { gain == 0 }

    /// Fades one frame in place.
    /// - Parameters:
    ///   - count: Samples of the frame; nil: all of `samples`.
    ///   - isInvented: Whether the frame was concealed, not decoded.
    public mutating func apply(to samples: inout MutableSpan<Int16>, count: Int? = nil, isInvented: Bool) {
        let count = count ?? samples.count
        if !isInvented {
            noise.learn(from: samples.span.extracting(0..<count))
            invented = 0
            if gain == 1 { return }
        }
        let level = noise.level
        let (patience, fall, rise) = (concealment.patience, concealment.fall, concealment.rise)
        for place in 0..<count {
            if !isInvented {
                gain = min(1, gain + rise)
            } else if invented < patience {
                invented += 1
            } else {
                gain = max(0, gain - fall)
            }
            let sound = Float(samples[place]) * (concealment == .lasting ? gain : 1)
            let share = (1 - gain * gain).squareRoot()
            samples[place] = Mixer.saturate(gain < 1 ? sound + noise.next(at: level * share) : sound)
        }
    }
}

/// Makes background noise where the voice is missing, because complete silence sounds like the end of the call.
///
/// Its level is that of the quietest frame of the last seconds, but never above `loudest`. Its spectrum falls with
/// frequency, like the noise of most rooms. Cost: O(count), no allocation; for the real-time thread of playback.
public struct ComfortNoise: Equatable, Sendable {
    /// The highest RMS, about -50 dBFS. A louder background is a voice.
    public static let loudest: Float = 100
    /// The quietest frame is remembered for one to two of these periods.
    private static let memory = 2 * SoundFormat.sampleRate
    /// The coefficient of a one-pole low pass, and the RMS of uniform noise of ±1 behind it.
    private static let colour: Float = 0.2
    private static let remainder: Float = 0.192

    private var quietest = Float.infinity
    private var quietestBefore = Float.infinity
    private var heard = 0
    private var state: UInt32 = 0x2545_F491
    private var smooth: Float = 0

    public init() {}

    /// The RMS of the background, as far as known.
    public var level: Float {
        let floor = min(quietest, quietestBefore)
        return floor.isFinite ? min(floor, Self.loudest) : 0
    }

    /// Learns from a frame that was decoded, not invented.
    public mutating func learn(from samples: Span<Int16>) {
        guard !samples.isEmpty else { return }
        var (sum, squares): (Int64, Int64) = (0, 0)
        for place in samples.indices {
            let value = Int64(samples[place])
            sum &+= value
            squares &+= value &* value
        }
        let mean = Float(sum) / Float(samples.count)
        quietest = min(quietest, max(0, Float(squares) / Float(samples.count) - mean * mean).squareRoot())
        heard += samples.count
        guard heard >= Self.memory else { return }
        (quietestBefore, quietest, heard) = (quietest, .infinity, 0)
    }

    /// The next sample of noise at `level`.
    @inline(__always)
    mutating func next(at level: Float) -> Float {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        let white = Float(Int32(bitPattern: state)) * (1 / 2_147_483_648)
        smooth += Self.colour * (white - smooth)
        return smooth * level * (1 / Self.remainder)
    }
}
