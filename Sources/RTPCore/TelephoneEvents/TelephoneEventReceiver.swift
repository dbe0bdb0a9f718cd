import Base

/// Tells each telephone event once, however many of its packets arrive, in whatever order (RFC 4733 §2.5.2).
///
/// An event is known by its timestamp. It is told with the first of its packets that arrives, so a lost
/// beginning or lost ends do not lose or double it. One that lasts longer than its duration can say goes on in
/// another segment, with the timestamp of that one's beginning (§2.5.1.3); that is told no second time.
/// Cost: O(1), no allocation.
public struct TelephoneEventReceiver: Equatable, Sendable {
    /// After this long without an event packet any timestamp is new: the clock may have wrapped meanwhile.
    private static let memory = Duration.seconds(10)

    fileprivate struct Told: Equatable, Sendable {
        let source: UInt32
        let event: TelephoneEvent
        /// Of the newest segment.
        var timestamp: UInt32
        /// The longest that was heard of that segment.
        var duration: UInt16
        /// The least by which it grew from one packet to another; 0 before it did.
        var step: UInt16 = 0
        var isEnded: Bool
        var heard: Instant
    }

    private var told: Told?
    /// Packets that were too short or named an event that a phone does not know.
    public private(set) var dropped = 0

    public init() {}

    /// - Parameter payload: The payload of a packet whose type is the negotiated telephone-event.
    /// - Returns: The event, once.
    public mutating func receive(
        _ header: RTPHeader, payload: Span<UInt8>, at now: Instant
    ) -> TelephoneEvent? {
        guard let parsed = try? TelephoneEventPayload(parsing: payload),
            let event = TelephoneEvent(rawValue: parsed.code)
        else {
            dropped += 1
            return nil
        }
        guard isNew(event, parsed, header, at: now) else { return nil }
        told = Told(
            source: header.source, event: event, timestamp: header.timestamp, duration: parsed.duration,
            isEnded: parsed.isEnd, heard: now)
        return event
    }

    private mutating func isNew(
        _ event: TelephoneEvent, _ parsed: TelephoneEventPayload, _ header: RTPHeader, at now: Instant
    ) -> Bool {
        guard var told, told.source == header.source, now - told.heard < Self.memory else { return true }
        let ahead = ExtendedTimestamp.distance(from: told.timestamp, to: header.timestamp)
        if ahead == 0 {
            told.grow(to: parsed)
        } else if ahead > 0 {
            guard told.event == event, told.goesOn(after: ahead) else { return true }
            (told.timestamp, told.duration, told.isEnded) = (header.timestamp, parsed.duration, parsed.isEnd)
        } else {
            return false
        }
        told.heard = now
        self.told = told
        return false
    }
}

extension TelephoneEventReceiver.Told {
    fileprivate mutating func grow(to parsed: TelephoneEventPayload) {
        if parsed.duration > duration {
            let growth = parsed.duration - duration
            step = step == 0 ? growth : min(step, growth)
            duration = parsed.duration
        }
        isEnded = isEnded || parsed.isEnd
    }

    /// Whether a segment that begins so many ticks after this one is the same event. A segment is not ended (§2.5.1.3:
    /// no E bit), and the next begins where it left off: where its last packet said or, if that was lost, where
    /// another step would have been more than the duration can say.
    fileprivate func goesOn(after ticks: Int64) -> Bool {
        let longest = Int64(UInt16.max)
        return !isEnded && ticks >= Int64(duration) && ticks <= longest
            && (ticks == Int64(duration) || longest - ticks <= Int64(step))
    }
}
