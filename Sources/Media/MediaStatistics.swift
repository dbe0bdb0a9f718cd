/// What Media counted since it was made, over all calls. A snapshot; each figure is exact, together they are of
/// about the same instant.
public struct MediaStatistics: Equatable, Sendable {
    public var packetsSent = 0
    public var sendFailures = 0
    /// Voice packets that were authenticated (or came in clear, where that was agreed).
    public var packetsReceived = 0
    /// From another address than the agreed one.
    public var strangers = 0
    public var unauthenticated = 0
    public var replayed = 0
    /// Neither RTP nor RTCP, or not well-formed, or of a payload type that was not agreed.
    public var malformed = 0
    /// Voice packets that the audio thread had no room for.
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
    /// Events or commands that a full ring refused.
    public var messagesLost = 0
    /// Recordings that a disk, or something else, ended.
    public var recordingsFailed = 0

    public init() {}
}
