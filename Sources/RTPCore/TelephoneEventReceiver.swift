import Base

/// Tells each telephone event once, however many of its packets arrive, in whatever order (RFC 4733 §2.5.2).
///
/// An event is known by its timestamp. It is told with the first of its packets that arrives, so a lost
/// beginning or lost ends do not lose or double it. Cost: O(1), no allocation.
public struct TelephoneEventReceiver: Equatable, Sendable {
    /// After this long without an event packet any timestamp is new: the clock may have wrapped meanwhile.
    private static let memory = Duration.seconds(10)

    private struct Told: Equatable, Sendable {
        let source: UInt32
        let timestamp: UInt32
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
        guard isNew(header, at: now) else { return nil }
        told = Told(source: header.source, timestamp: header.timestamp, heard: now)
        return event
    }

    private mutating func isNew(_ header: RTPHeader, at now: Instant) -> Bool {
        guard let told, told.source == header.source, now - told.heard < Self.memory else { return true }
        let ahead = ExtendedTimestamp.distance(from: told.timestamp, to: header.timestamp)
        if ahead == 0 { self.told?.heard = now }
        return ahead > 0
    }
}
