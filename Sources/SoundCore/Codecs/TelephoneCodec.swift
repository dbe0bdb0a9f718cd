/// The codecs of desk phones. Each has one octet for each tick of an RTP clock of 8 kHz (RFC 3551 §4.5).
public enum TelephoneCodec: Equatable, Sendable {
    case g711(Companding)
    /// 64 kbit/s. It samples at 16 kHz, but its RTP clock has 8 kHz because of an old mistake (RFC 3551 §4.5.2).
    case g722

    /// Samples of the phone's own format per octet.
    public static let samplesPerOctet = SoundFormat.sampleRate / 8_000
    /// 60 ms: the longest packet that we send.
    static let octetsSent = 480
    /// 200 ms: the longest packet that we play (RFC 3551 §4.2).
    public static let octetsPlayed = 1_600
}
