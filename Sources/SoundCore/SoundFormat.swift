/// The one format inside the phone: 48 kHz, mono, 16 bits.
public enum SoundFormat {
    public static let sampleRate = 48_000
    public static let samplesPerMillisecond = sampleRate / 1_000
    /// The length of every fade that avoids a click.
    public static let edgeMilliseconds = 5
    public static let edgeSamples = edgeMilliseconds * samplesPerMillisecond
}
