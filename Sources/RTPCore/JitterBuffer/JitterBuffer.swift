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
