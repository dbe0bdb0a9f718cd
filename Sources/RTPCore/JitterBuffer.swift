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
/// - SeeAlso: RFC 3550 §5.1 (sequence and timestamp), RFC 7587 §4.4 (Opus forward correction).
public struct JitterBuffer: ~Copyable, Sendable {
    enum Playout: Sendable {
        /// Nothing to play: never had a packet, or starved.
        case idle
        /// Packets are here; the first waits for the target delay.
        case filling
        case playing
    }

    var configuration: Configuration
    let clock: MediaClock
    var slots: PacketSlots
    var delays: DelayEstimate
    var pace: PlayoutPace
    var stream: Stream?
    var playout = Playout.idle
    var stranger: Stranger?
    var counters = Counters()
    var pattern = LossPattern()
    /// Ticks that the device asks for at a time.
    var quantum: Int64 = 0
    /// Ticks invented because nothing was there. Whether anything was missing is known when the next packet is here.
    var unexplained: Int64 = 0

    public init(_ configuration: Configuration) {
        self.configuration = configuration
        clock = MediaClock(rate: configuration.clockRate)
        slots = PacketSlots(capacity: configuration.capacity, payloadLimit: configuration.payloadLimit)
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

    /// Forgets everything except the counters: the stream was replaced (another codec, another peer).
    public mutating func reset() {
        slots.removeAll()
        delays.reset()
        pace.reset()
        stream = nil
        stranger = nil
        playout = .idle
        unexplained = 0
    }

    /// The delay to hold, in ticks. When packets are being lost and the next one can repair them, it must
    /// have arrived by then: one packet more.
    var target: Int64 {
        var wish = max(delays.enough + quantum, clock.ticks(configuration.minimumDelay))
        if let stream, configuration.usesForwardCorrection, pace.isLossy { wish += stream.packetTicks }
        return min(wish, clock.ticks(configuration.maximumDelay))
    }
}
