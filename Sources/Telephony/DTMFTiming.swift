/// How long digits last, by whatever they are sent. Any switch hears 50 ms (ITU-T Q.24).
public enum DTMFTiming {
    /// A telephone event (RFC 4733), or a tone in the voice.
    public static let event = Duration.milliseconds(100)
    /// A digit by INFO: it arrives later than the voice beside it, and many servers sound it anew.
    public static let info = Duration.milliseconds(160)
    /// Silence between two digits, in each of the three ways.
    public static let gap = Duration.milliseconds(50)
    /// What a comma waits.
    public static let pause = Duration.seconds(2)
}
