import Synchronization

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

/// The counters behind `MediaStatistics`. The thread that observes an event counts it.
final class MediaCounters: Sendable {
    let packetsSent = Atomic<Int>(0)
    let sendFailures = Atomic<Int>(0)
    let packetsReceived = Atomic<Int>(0)
    let strangers = Atomic<Int>(0)
    let unauthenticated = Atomic<Int>(0)
    let replayed = Atomic<Int>(0)
    let malformed = Atomic<Int>(0)
    let overflows = Atomic<Int>(0)
    let reportsSent = Atomic<Int>(0)
    let reportsReceived = Atomic<Int>(0)
    let undecodable = Atomic<Int>(0)
    let captureOverruns = Atomic<Int>(0)
    let playbackUnderruns = Atomic<Int>(0)
    let devicesLost = Atomic<Int>(0)
    let periodsCaptured = Atomic<Int>(0)
    let periodsPlayed = Atomic<Int>(0)
    let messagesLost = Atomic<Int>(0)
    let recordingsFailed = Atomic<Int>(0)
    /// Levels, which the audio thread sets.
    let captureLevel = Atomic<Int>(0)
    let playbackLevel = Atomic<Int>(0)

    func count(_ refusal: SRTPSession.Refusal) {
        switch refusal {
        case .unauthenticated: unauthenticated.count()
        case .replayed: replayed.count()
        case .other: malformed.count()
        }
    }

    func snapshot() -> MediaStatistics {
        var copy = MediaStatistics()
        copy.packetsSent = packetsSent.load(ordering: .relaxed)
        copy.sendFailures = sendFailures.load(ordering: .relaxed)
        copy.packetsReceived = packetsReceived.load(ordering: .relaxed)
        copy.strangers = strangers.load(ordering: .relaxed)
        copy.unauthenticated = unauthenticated.load(ordering: .relaxed)
        copy.replayed = replayed.load(ordering: .relaxed)
        copy.malformed = malformed.load(ordering: .relaxed)
        copy.overflows = overflows.load(ordering: .relaxed)
        copy.reportsSent = reportsSent.load(ordering: .relaxed)
        copy.reportsReceived = reportsReceived.load(ordering: .relaxed)
        copy.undecodable = undecodable.load(ordering: .relaxed)
        copy.captureOverruns = captureOverruns.load(ordering: .relaxed)
        copy.playbackUnderruns = playbackUnderruns.load(ordering: .relaxed)
        copy.devicesLost = devicesLost.load(ordering: .relaxed)
        copy.periodsCaptured = periodsCaptured.load(ordering: .relaxed)
        copy.periodsPlayed = periodsPlayed.load(ordering: .relaxed)
        copy.messagesLost = messagesLost.load(ordering: .relaxed)
        copy.recordingsFailed = recordingsFailed.load(ordering: .relaxed)
        copy.captureLevel = captureLevel.load(ordering: .relaxed)
        copy.playbackLevel = playbackLevel.load(ordering: .relaxed)
        return copy
    }
}

extension Atomic where Value == Int {
    func count(_ amount: Int = 1) { wrappingAdd(amount, ordering: .relaxed) }
}
