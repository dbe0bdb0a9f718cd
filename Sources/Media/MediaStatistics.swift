/// Counts over all calls since Media was made. Each figure is exact; all are from about the same instant.
public struct MediaStatistics: Equatable, Sendable {
    public var packetsSent = 0
    public var sendFailures = 0
    /// Voice packets that passed authentication (or came in clear, where that was negotiated).
    public var packetsReceived = 0
    /// Packets from another address than the negotiated one, or with more SSRCs than one key may have.
    public var strangers = 0
    public var unauthenticated = 0
    public var replayed = 0
    /// Packets that are neither RTP nor RTCP, not well-formed, or of a payload type that was not negotiated.
    public var malformed = 0
    /// Voice packets that did not fit into the audio thread's ring, and digits that came too fast.
    public var overflows = 0
    public var reportsSent = 0
    public var reportsReceived = 0
    public var undecodable = 0
    public var captureOverruns = 0
    public var playbackUnderruns = 0
    public var devicesLost = 0
    /// Periods of sound that were captured, and played.
    public var periodsCaptured = 0
    public var periodsPlayed = 0
    /// Events or commands lost because a ring was full.
    public var messagesLost = 0
    /// Recordings that failed, because of the disk or for another reason.
    public var recordingsFailed = 0
    /// How loud the microphone and the playback device are now, 0...32768; 0 while they are idle. See `LevelMeter`.
    public var captureLevel = 0
    public var playbackLevel = 0

    public init() {}
}
