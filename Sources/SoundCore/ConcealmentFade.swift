/// Lets invented sound die away into the noise of the far end's room: a codec that conceals for long begins to hum and to
/// buzz, and dead silence sounds like the end of the call.
///
/// Real sound comes back within 5 ms, where the codec does not fade it in itself. Cost: O(count), no allocation; for the
/// ear's real-time thread.
public struct ConcealmentFade: Equatable, Sendable {
    public static let patienceMilliseconds = 120
    public static let fadeMilliseconds = 60

    /// How a codec conceals.
    public enum Concealment: Equatable, Sendable {
        /// It goes on for as long as it is asked (Opus): the first 120 ms in a row pass unchanged, the next 60 ms fade.
        case lasting
        /// It fades by itself, as that of the telephone codecs: nothing is done to it, and the noise comes as it goes.
        case fading

        /// Samples that pass before the noise begins, and in which it becomes as loud as the room.
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

    /// Of the codec that is heard. The room stays the same when it changes.
    public var concealment: Concealment
    /// Samples invented in a row, counted up to the patience.
    private var invented = 0
    /// What is invented is so loud, and the noise makes up for the power that it lacks.
    private var gain: Float = 1
    private var noise = ComfortNoise()

    public init(of concealment: Concealment = .lasting) { self.concealment = concealment }

    /// Nothing of what is invented is heard any more.
    public var isOver: Bool { gain == 0 }

    /// Fades one frame in place. `isInvented`: it was concealed, not decoded.
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
