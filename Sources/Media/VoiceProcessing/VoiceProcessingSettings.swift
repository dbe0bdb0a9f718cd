/// The processing of a route's microphone. By default there is none: sound passes unchanged.
public struct VoiceProcessingSettings: Equatable, Sendable {
    public static let tails = 32...256

    /// The loudspeaker's sound is removed from the microphone's.
    public var cancelsEcho = false
    /// Steady noise is made 15 dB quieter.
    public var suppressesNoise = false
    /// Quiet and loud voices come out about equally loud.
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
