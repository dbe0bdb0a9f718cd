/// How long digits last, by whatever they are sent. Any switch hears 50 ms (ITU-T Q.24).
public enum DTMFTiming {
    /// A telephone event (RFC 4733), or a tone in the voice.
    public static let event = Duration.milliseconds(100)
    /// What an INFO asks the far end to sound.
    public static let info = Duration.milliseconds(160)
    /// Silence between two digits, in each of the three ways.
    public static let gap = Duration.milliseconds(50)
    /// What a comma waits.
    public static let pause = Duration.seconds(2)
}
