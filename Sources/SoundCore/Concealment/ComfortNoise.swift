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
