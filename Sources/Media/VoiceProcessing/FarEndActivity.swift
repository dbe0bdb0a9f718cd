/// Detects from the loudspeaker's sound whether the far end speaks, or its echo may still be in the room.
///
/// Steady noise of the far end does not count. Cost: O(samples), no allocation; for the audio thread.
struct FarEndActivity: Sendable {
    /// The mean square below which nothing counts: -60 dB of full scale.
    private static let silence: Float = 1_074
    /// How far a voice is above the noise: 8 dB.
    private static let contrast: Float = 6
    /// The fastest growth of noise: 3 dB in a second, in frames of 20 ms.
    private static let growth: Float = 1.014
    /// How long a room echoes after the last word, in frames: 300 ms.
    private static let reverberation = 15

    private var noise = silence
    private var left = 0

    /// - Parameter played: one frame.
    /// - Returns: Whether the microphone may hear the far end's voice.
    mutating func take(_ played: Span<Int16>) -> Bool {
        var sum: Float = 0
        for place in played.indices { sum += Float(played[place]) * Float(played[place]) }
        let power = sum / Float(max(1, played.count))
        noise = max(Self.silence, min(power, noise * Self.growth))
        left = power > noise * Self.contrast ? Self.reverberation : max(0, left - 1)
        return left > 0
    }
}
