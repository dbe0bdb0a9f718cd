import Base

/// Reports each telephone event once, no matter how many of its packets arrive and in which order (RFC 4733 §2.5.2).
///
/// The first packet that arrives reports the event, so lost packets at its beginning or end neither lose nor repeat it.
/// The timestamp ought to identify an event. Real senders let it rise within one event, repeat it for the next one, or
/// let it jump back between two. So the receiver looks at packets with a newer sequence number, whatever their
/// timestamp. Such a packet begins an event when its code differs, or when it cannot belong to the last event.
///
/// An event may last longer than the duration field can express. It then continues in another segment, whose timestamp
/// is the beginning of that segment (§2.5.1.3). The receiver does not report the segment again.
/// Cost: O(1), no allocation.
public struct TelephoneEventReceiver: Equatable, Sendable {
    /// After this long without an event packet, every timestamp is new, because the clock may have wrapped.
    private static let memory = Duration.seconds(10)
    /// A packet older than this many others is not late: its sender restarted its numbering (RFC 3550 §A.1).
    private static let mostMisordered: Int64 = 100

    fileprivate struct Told: Equatable, Sendable {
        let source: UInt32
        let event: TelephoneEvent
        /// The newest sequence number.
        var sequence: UInt16
        /// The timestamp of the newest segment.
        var timestamp: UInt32
        /// The longest duration received for that segment.
        var duration: UInt16
        /// The smallest growth of the duration from one packet to another; 0 until it has grown.
        var step: UInt16 = 0
        var isEnded: Bool
        var heard: Instant
    }

    private var told: Told?
    /// Packets that were too short or had an unsupported event code.
    public private(set) var dropped = 0

    public init() {}

    /// - Parameter payload: The payload of a packet whose type is the negotiated telephone-event.
    /// - Returns: The event, if this is its first packet; nil for its further packets and for a dropped packet.
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
            source: header.source, event: event, sequence: header.sequence, timestamp: header.timestamp,
            duration: parsed.duration, isEnded: parsed.isEnd, heard: now)
        return event
    }

    private mutating func isNew(
        _ event: TelephoneEvent, _ parsed: TelephoneEventPayload, _ header: RTPHeader, at now: Instant
    ) -> Bool {
        guard var told, told.source == header.source, now - told.heard < Self.memory else { return true }
        told.heard = now
        let newer = ExtendedSequence.distance(from: told.sequence, to: header.sequence)
        let ahead = ExtendedTimestamp.distance(from: told.timestamp, to: header.timestamp)
        if newer > 0 || newer < -Self.mostMisordered {
            guard told.event == event, told.takes(parsed, ahead: ahead, isMarked: header.marker) else { return true }
            told.sequence = header.sequence
            if ahead == 0 {
                told.grow(to: parsed)
            } else {
                (told.timestamp, told.duration) = (header.timestamp, parsed.duration)
                told.isEnded = told.isEnded || parsed.isEnd
            }
        } else if ahead == 0, told.event == event {
            told.grow(to: parsed)
        }
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

    /// Whether a newer packet with the same code belongs to this event.
    /// - Parameter ahead: Its timestamp, seen from this event's.
    fileprivate func takes(_ parsed: TelephoneEventPayload, ahead: Int64, isMarked: Bool) -> Bool {
        // After an event's end only repetitions of the end follow (§2.5.1.4).
        if isEnded, !parsed.isEnd, isMarked || parsed.duration < duration { return false }
        // A sender that lets the timestamp rise with each packet stays within the event.
        return ahead.magnitude < UInt64(duration) || ahead == 0 || goesOn(after: ahead)
    }

    /// Whether a segment that begins `ticks` after this one continues the same event. A segment that continues has no E
    /// bit (§2.5.1.3), and the next one begins where it ended. That is the duration in its last packet. If that packet
    /// was lost, the end lies so close to the longest duration that another step would exceed it.
    fileprivate func goesOn(after ticks: Int64) -> Bool {
        let longest = Int64(UInt16.max)
        return !isEnded && ticks >= Int64(duration) && ticks <= longest
            && (ticks == Int64(duration) || longest - ticks <= Int64(step))
    }
}
