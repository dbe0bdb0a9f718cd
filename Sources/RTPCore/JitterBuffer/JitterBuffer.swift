import Base

/// Turns packets that arrive at irregular times into frames that are ready when the sound device needs them.
///
/// The buffer works in time, not in packets. It compares each packet's *transit* (arrival minus timestamp) with the
/// fastest recent one. Sound that plays exactly when the fastest packet would have arrived has delay 0. The *target* is
/// the delay that would have been enough for most recent packets, plus what the device takes at once: a quantum, or
/// several. A packet must be here when the device asks for the quantum in which it begins.
///
/// Playout starts at the target delay. After that, frames that are due are played and missing frames are filled. When
/// the delay differs a little from the target, sound plays a little faster or slower (`correction`). When it differs
/// more, a pitch period is removed or inserted (`Frame.stretch`).
///
/// A wait for a packet does not move the playout point. A frame that arrives late is still played, and the wait is
/// added to the delay. A frame that never arrives is stepped over, because its time has already been spent waiting.
///
/// One thread owns the buffer; other threads pass packets to it through a ring. Everything is allocated in `init`;
/// `insert` and `take` allocate, lock and retain nothing. Cost: O(capacity) worst case, O(1) usual.
/// - SeeAlso: RFC 3550 §5.1 (sequence and timestamp), RFC 7587 §3.3 (Opus forward correction).
public struct JitterBuffer: ~Copyable, Sendable {
    enum Playout: Sendable {
        /// Nothing to play: no packet has arrived yet, or none for too long.
        case idle
        /// Packets are here; the first one waits for the target delay.
        case filling
        case playing
    }

    /// Whether packets come within the longest delay.
    enum Reach: Sendable {
        case within
        /// All packets have been too late since then, and this is the fastest transit among them.
        case beyond(since: Int64, fastest: Int64)
    }

    /// The purpose of the sound that the last decision asked for, and its length in ticks.
    enum Invention: Sendable {
        case none
        case pause(Int64)
        /// The purpose is known when the next packet is here.
        case wait(Int64)
        case gap(Int64)
    }

    var configuration: Configuration
    let clock: MediaClock
    var slots: PacketSlots
    var delays: DelayEstimate
    var pace: PlayoutPace
    var stream: Stream?
    var playout = Playout.idle
    var reach = Reach.within
    /// Sequence numbers of the stream that belong to packets without voice.
    var voiceless: SequenceMarks
    var stranger: Stranger?
    var counters = Counters()
    var pattern = LossPattern()
    /// Ticks that the device takes at one moment.
    var quantum: Int64 = 0
    /// How long before its playout a packet must be here.
    var reserve: Int64 = 0
    /// How the device asks for the next quantum.
    public var burst = DeviceBurst()
    /// Ticks invented because no packet was here. The next packet shows whether one was missing.
    var unexplained: Int64 = 0
    var invention = Invention.none
    var latePackets = LatePackets()

    /// Whether a missing packet is probably only late, because others were before. The sound invented for it should
    /// then be short, because the packet must wait until that sound has played.
    public var expectsLatePackets: Bool { latePackets.areExpected }

    public init(_ configuration: Configuration) {
        self.configuration = configuration
        clock = MediaClock(rate: configuration.clockRate)
        slots = PacketSlots(capacity: configuration.capacity, payloadLimit: configuration.payloadLimit)
        voiceless = SequenceMarks(capacity: configuration.capacity)
        precondition(
            configuration.minimumDelay >= .zero && configuration.minimumDelay <= configuration.maximumDelay,
            "delays are in order")
        delays = DelayEstimate(clock: clock, maximum: configuration.maximumDelay)
        pace = PlayoutPace(clock: clock)
    }

    public var statistics: Statistics {
        Statistics(
            counters: counters, pattern: pattern.counts, delayMilliseconds: clock.milliseconds(ticks: pace.delay),
            targetMilliseconds: clock.milliseconds(ticks: target), driftPartsPerMillion: pace.driftShare * 1e6)
    }

    /// How much faster sound is to be played than its clock says, as a share: ±0.005 at most. It changes a few times a
    /// second. It corrects the drift between the two clocks and small differences between delay and target.
    public var correction: Double { pace.correction }

    /// Records that the played frame lasts longer by `ticks` or, when negative, shorter: the answer to `Frame.stretch`.
    public mutating func stretched(by ticks: Int, at now: Instant) {
        guard ticks != 0 else { return }
        if ticks > 0 { counters.lengthenedTicks += Int64(ticks) } else { counters.shortenedTicks -= Int64(ticks) }
        pace.move(by: Int64(ticks), at: clock.ticks(now))
    }

    /// Records the actual length of invented sound, if the last decision was `conceal` or `silence`. Decoders invent in
    /// whole steps, and sound that is longer than the decision increases the delay.
    public mutating func invented(_ ticks: Int, at now: Instant) {
        let more: Int64
        switch invention {
        case .none: return
        case .pause(let asked): more = Int64(ticks) - asked
        case .wait(let asked):
            more = Int64(ticks) - asked
            unexplained += more
        case .gap(let asked):
            more = Int64(ticks) - asked
            counters.concealedTicks += more
            counters.playedTicks += more
        }
        invention = .none
        pace.move(by: more, at: clock.ticks(now))
    }

    /// Forgets everything except the counters and the loss pattern, because another codec or another peer replaces the
    /// stream.
    public mutating func reset() {
        slots.removeAll()
        voiceless.removeAll()
        delays.reset()
        pace.reset()
        stream = nil
        stranger = nil
        playout = .idle
        reach = .within
        unexplained = 0
        invention = .none
        latePackets = LatePackets()
    }

    /// The delay to hold, in ticks. When packets are being lost and the next packet can repair a lost one, that next
    /// packet must arrive in time too. The target is then one packet longer.
    var target: Int64 {
        var wanted = max(delays.enough + quantum, clock.ticks(configuration.minimumDelay))
        if let stream, configuration.usesForwardCorrection, pace.isLossy { wanted += stream.packetTicks }
        return min(wanted, clock.ticks(configuration.maximumDelay))
    }
}

extension JitterBuffer {
    public struct Configuration: Equatable, Sendable {
        /// The default bounds of the delay.
        public static let usualDelays: ClosedRange<Duration> = .milliseconds(5) ... .milliseconds(500)

        /// RTP ticks a second.
        public var clockRate: Int
        /// The target delay is never below this.
        public var minimumDelay: Duration = usualDelays.lowerBound
        public var maximumDelay: Duration = usualDelays.upperBound
        /// Packets held at most; a power of two.
        public var capacity = 128
        /// Limit of payload bytes in a packet; larger packets are rejected.
        public var payloadLimit = 1_500
        /// The next packet's payload can repair a lost one (Opus in-band FEC).
        public var usesForwardCorrection = false

        public init(clockRate: Int) { self.clockRate = clockRate }
    }

    /// How a sound device asks for quanta: some take several at one moment.
    public struct DeviceBurst: Equatable, BitwiseCopyable, Sendable {
        /// Ticks that the device took at this moment before the requested quantum. They play before it.
        public var before: Int
        /// Ticks that the device usually takes at one moment; 0: a quantum.
        public var atOnce: Int

        public init(before: Int = 0, atOnce: Int = 0) { (self.before, self.atOnce) = (before, atOnce) }
    }

    /// The result of inserting a packet.
    public enum Insertion: Equatable, Sendable {
        case stored
        /// The packet arrived after its playout time.
        case late
        case duplicate
        /// The packet is from another source, or far from the position of the stream. A second such packet in order
        /// restarts the buffer.
        case stranger
        /// A new stream begins with this packet; waiting packets were dropped.
        case restarted
        /// The packet is too large, or has a length (0, above 200 ms) that no frame has.
        case refused
    }

    /// Counts since the start. They survive restarts of the stream.
    public struct Counters: Equatable, Sendable {
        /// Accepted packets. Late packets and those that began a stream are included, duplicates and strangers are not.
        public internal(set) var received = 0
        /// Packets that were missing when they were due and never arrived.
        public internal(set) var lost = 0
        public internal(set) var late = 0
        public internal(set) var duplicates = 0
        public internal(set) var strangers = 0
        public internal(set) var refused = 0
        public internal(set) var restarts = 0
        public internal(set) var recovered = 0
        /// Ticks of sound invented because packets were missing. A sender's silence does not count.
        public internal(set) var concealedTicks: Int64 = 0
        /// All ticks of sound that were returned, except silence.
        public internal(set) var playedTicks: Int64 = 0
        /// Ticks that stretching has added and removed.
        public internal(set) var lengthenedTicks: Int64 = 0
        public internal(set) var shortenedTicks: Int64 = 0
        /// Packets discarded unheard: a backlog at the beginning, or packets beyond the longest delay.
        public internal(set) var skips = 0
    }

    public struct Statistics: Equatable, Sendable {
        public let counters: Counters
        /// Where packets were missing when they were due.
        public let pattern: LossPattern.Counts
        /// The current playout delay: how much later sound is played than the fastest packet would allow.
        public let delayMilliseconds: Double
        public let targetMilliseconds: Double
        /// How much faster the far end's clock runs than our sound device's, as far as known.
        public let driftPartsPerMillion: Double

        /// Share of the sound that was invented, 0...1; nil before any was played.
        public var concealedShare: Double? {
            counters.playedTicks > 0 ? Double(counters.concealedTicks) / Double(counters.playedTicks) : nil
        }
    }

    /// The position of the stream.
    struct Stream: Sendable {
        let source: UInt32
        /// The next sequence and timestamp to play, extended.
        var nextSequence: Int64
        var nextTimestamp: Int64
        var highestSequence: Int64
        var highestTimestamp: Int64
        /// Length of the last packet stored.
        var packetTicks: Int64
        var hasPlayed = false
        /// True when a packet without voice has come since the last packet with voice.
        var hasPaused = false
        /// The last 64 sequences before `nextSequence`: bit 0 is the newest, set if it was played, discarded or came
        /// late.
        var played: UInt64 = 0
    }

    /// A packet that does not belong to the stream, remembered to see whether the next one in order follows.
    struct Stranger: Sendable {
        let source: UInt32
        let nextSequence: UInt16
    }
}

extension JitterBuffer {
    /// The stream continues with another codec of the same clock. `usesForwardCorrection`: whether its packets can
    /// repair the loss of the packet before.
    public mutating func repairsLoss(_ usesForwardCorrection: Bool) {
        configuration.usesForwardCorrection = usesForwardCorrection
    }

    /// Prepares for another codec: waiting packets are dropped, and `Configuration.usesForwardCorrection` takes the
    /// value of the new codec. The clock stays the same. For a codec with another clock rate the caller multiplies the
    /// timestamps before it inserts the packets. This is correct across their wrap too, because a multiple of 2³² ticks
    /// is 0 on the wire.
    public mutating func reset(usesForwardCorrection: Bool) {
        configuration.usesForwardCorrection = usesForwardCorrection
        reset()
    }
}

/// Remembers whether missing packets arrive late, or never.
///
/// On a path with jitter most of them arrive a moment later; on a path that loses packets none do. Each late packet
/// counts for two lost ones, because a packet that comes out of order looks lost at first.
package struct LatePackets: Sendable {
    private static let weight = 2
    private static let most = 4

    private var score = 0

    package init() {}

    /// Whether the next missing packet is probably only late.
    package var areExpected: Bool { score > 0 }

    package mutating func cameLate() { score = min(score + Self.weight, Self.most) }
    package mutating func wasLost() { score = max(score - 1, 0) }
}
