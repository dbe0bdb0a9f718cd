/// What is done to the microphone of a route before anybody hears it. By default nothing: sound passes as it came.
public struct VoiceProcessingSettings: Equatable, Sendable {
    public static let tails = 32...256

    /// What the loudspeaker plays is taken out of what the microphone hears.
    public var cancelsEcho = false
    /// Steady noise is made 15 dB quieter.
    public var suppressesNoise = false
    /// Quiet and loud voices come out about equally loud.
    public var levelsGain = false
    /// How long the room echoes, in milliseconds: `tails`. More costs more, and is learned more slowly.
    public var tailMilliseconds = 128

    public init() {}

    /// All of it, for a loudspeaker and a microphone in one room.
    public static var everything: VoiceProcessingSettings {
        var all = VoiceProcessingSettings()
        (all.cancelsEcho, all.suppressesNoise, all.levelsGain) = (true, true, true)
        return all
    }

    var isNeeded: Bool { cancelsEcho || suppressesNoise || levelsGain }
}
