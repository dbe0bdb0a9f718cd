import Base

/// Turns packets that arrive when they like into frames that are due when the sound device wants them.
///
/// It works in time, not in packets. Each packet's *transit* (arrival minus timestamp) is compared with the
/// fastest one seen lately; sound heard right when the fastest would have arrived has delay 0. The *target* is the
/// delay that would have been enough for most recent packets, and a quantum of the device, as a packet must be here
/// when the quantum is made that it begins in. Sound starts at the target; from then on one rule holds: what is due
/// is played, what is missing is filled, and when the delay strays from the target, sound is played a little faster
/// or slower (`correction`) or, when it is far off, a pitch period is taken out or put in (`Frame.stretch`).
///
/// A wait for a packet does not move the playout point: the frame that comes late is still played, with a
/// delay grown by the wait, and the frame that never comes is stepped over because its time is already spent.
///
/// One owner, one thread: hand packets over to it through a ring. Everything is allocated in `init`;
/// `insert` and `take` allocate, lock and retain nothing. Cost: O(capacity) worst case, O(1) usual.
/// - SeeAlso: RFC 3550 §5.1 (sequence and timestamp), RFC 7587 §3.3 (Opus forward correction).
public struct JitterBuffer: ~Copyable, Sendable {
    enum Playout: Sendable {
        /// Nothing to play: never had a packet, or starved.
        case idle
        /// Packets are here; the first waits for the target delay.
        case filling
        case playing
    }

    /// Whether packets come within the longest delay.
    enum Reach: Sendable {
        case within
        /// All have been too late since then, and this is the fastest transit among them.
        case beyond(since: Int64, fastest: Int64)
    }

    /// What the sound that was asked for last is for, and how many ticks of it.
    enum Invention: Sendable {
        case none
        case pause(Int64)
        /// What it was for is known when the next packet is here.
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
    /// Numbers of the stream that were used for something else.
    var voiceless: SequenceMarks
    var stranger: Stranger?
    var counters = Counters()
    var pattern = LossPattern()
    /// Ticks that the device asks for at a time.
    var quantum: Int64 = 0
    /// Ticks invented because nothing was there. Whether anything was missing is known when the next packet is here.
    var unexplained: Int64 = 0
    var invention = Invention.none

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

    /// How much faster than its clock says sound is to be played, as a share: ±0.005 at most. It changes a few times
    /// a second. What the two clocks drift apart is in it, and small differences between delay and target.
    public var correction: Double { pace.correction }

    /// What was played lasts longer by so many ticks than it should, or shorter: the answer to `Frame.stretch`.
    public mutating func stretched(by ticks: Int, at now: Instant) {
        guard ticks != 0 else { return }
        if ticks > 0 { counters.lengthenedTicks += Int64(ticks) } else { counters.shortenedTicks -= Int64(ticks) }
        pace.move(by: Int64(ticks), at: clock.ticks(now))
    }

    /// What was invented is so many ticks long, where the last decision was `conceal` or `silence`: decoders invent in
    /// whole steps, and what is longer than that decision is that much more delay.
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

    /// Forgets everything except the counters: the stream was replaced (another codec, another peer).
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
    }

    /// The delay to hold, in ticks. When packets are being lost and the next one can repair them, it must
    /// have arrived by then: one packet more.
    var target: Int64 {
        var wanted = max(delays.enough + quantum, clock.ticks(configuration.minimumDelay))
        if let stream, configuration.usesForwardCorrection, pace.isLossy { wanted += stream.packetTicks }
        return min(wanted, clock.ticks(configuration.maximumDelay))
    }
}
