import Base

/// Turns packets that arrive when they like into frames that are due when the sound device wants them.
///
/// It works in time, not in packets. Each packet's *transit* (arrival minus timestamp) is compared with the
/// fastest one seen lately; a packet taken right when the fastest would have arrived has delay 0. The *target*
/// is the delay that would have been enough for most recent packets. Sound starts at the target; from then on
/// one rule holds: what is due is played, what is missing is filled, and when the delay strays from the target
/// one frame is invented (`expand`) or thrown away (`skip`), best where nobody hears it.
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

    public init(_ configuration: Configuration) {
        self.configuration = configuration
        clock = MediaClock(rate: configuration.clockRate)
        slots = PacketSlots(capacity: configuration.capacity, payloadLimit: configuration.payloadLimit)
        delays = DelayEstimate(clock: clock, minimum: configuration.minimumDelay, maximum: configuration.maximumDelay)
        pace = PlayoutPace(clock: clock)
    }

    public var statistics: Statistics {
        Statistics(
            counters: counters, delayMilliseconds: clock.milliseconds(ticks: pace.delay),
            targetMilliseconds: clock.milliseconds(ticks: target))
    }

    /// Forgets everything except the counters: the stream was replaced (another codec, another peer).
    public mutating func reset() {
        slots.removeAll()
        delays.reset()
        pace.reset()
        stream = nil
        stranger = nil
        playout = .idle
    }

    /// The delay to hold, in ticks. When packets are being lost and the next one can repair them, it must
    /// have arrived by then: one packet more.
    var target: Int64 {
        guard let stream, configuration.usesForwardCorrection, pace.isLossy else { return delays.target }
        return min(delays.target + stream.packetTicks, clock.ticks(configuration.maximumDelay))
    }
}
