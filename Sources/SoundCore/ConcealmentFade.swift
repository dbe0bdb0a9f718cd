/// Lets invented sound die away: a codec that conceals for long begins to hum and to buzz.
///
/// The first 120 ms in a row pass unchanged, the next 60 ms fade into the noise of the far end's room; real sound comes
/// back within 5 ms. Cost: O(count), no allocation; for the ear's real-time thread.
public struct ConcealmentFade: Equatable, Sendable {
    public static let patienceMilliseconds = 120
    public static let fadeMilliseconds = 60

    private static let patience = patienceMilliseconds * SoundFormat.samplesPerMillisecond
    private static let fall = 1 / Float(fadeMilliseconds * SoundFormat.samplesPerMillisecond)
    private static let rise = 1 / Float(SoundFormat.edgeSamples)

    /// Samples invented in a row, counted up to `patience`.
    private var invented = 0
    private var gain: Float = 1
    private var noise = ComfortNoise()

    public init() {}

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
        for place in samples.indices {
            if !isInvented {
                gain = min(1, gain + Self.rise)
            } else if invented < Self.patience {
                invented += 1
            } else {
                gain = max(0, gain - Self.fall)
            }
            let sound = Float(samples[place]) * gain
            samples[place] = Mixer.saturate(gain < 1 ? sound + noise.next(at: level * (1 - gain)) : sound)
        }
    }
}
