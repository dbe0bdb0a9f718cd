/// The processing of a route's microphone. By default sound passes unchanged.
public struct VoiceProcessingSettings: Equatable, Sendable {
    public static let tails = 32...256

    /// Echo cancellation: removes the loudspeaker's sound from the microphone's.
    public var cancelsEcho = false
    /// Noise suppression: makes steady noise 15 dB quieter.
    public var suppressesNoise = false
    /// Automatic gain: makes quiet and loud voices about equally loud.
    public var levelsGain = false
    /// How long the room echoes, in milliseconds: `tails`. A longer tail costs more and is learned more slowly.
    public var tailMilliseconds = 128

    public init() {}

    /// All processing, for a loudspeaker and a microphone in one room.
    public static var everything: VoiceProcessingSettings {
        var all = VoiceProcessingSettings()
        (all.cancelsEcho, all.suppressesNoise, all.levelsGain) = (true, true, true)
        return all
    }

    var isNeeded: Bool { cancelsEcho || suppressesNoise || levelsGain }
}
