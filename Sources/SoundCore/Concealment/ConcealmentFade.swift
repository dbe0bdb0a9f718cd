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

    /// Fades one frame in place. `isInvented` means that the frame was concealed, not decoded.
    public mutating func apply(to samples: inout MutableSpan<Int16>, isInvented: Bool) {
        if !isInvented {
            noise.learn(from: samples.span)
            invented = 0
            if gain == 1 { return }
        }
        let level = noise.level
        let (patience, fall, rise) = (concealment.patience, concealment.fall, concealment.rise)
        for place in samples.indices {
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
