/// How long digits last, for every method of sending them. Any switch detects 50 ms (ITU-T Q.24).
public enum DTMFTiming {
    /// The length of a telephone event (RFC 4733), or of a tone in the audio.
    public static let event = Duration.milliseconds(100)
    /// The length of the tone that an INFO asks the far end to play.
    public static let info = Duration.milliseconds(160)
    /// The silence between two digits, for each of the three methods.
    public static let gap = Duration.milliseconds(50)
    /// The pause for a comma.
    public static let pause = Duration.seconds(2)
}
