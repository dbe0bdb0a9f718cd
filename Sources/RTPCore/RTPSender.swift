import Base

/// Numbers the packets of one outgoing stream and counts them for its sender reports.
///
/// One value lives as long as its SSRC. Hold, re-INVITE and a change of codec continue the same sequence: one that
/// restarts under the same SRTP key repeats its key stream (RFC 3711 §9.1). The caller supplies the start values and
/// draws them from the system's randomness (RFC 3550 §5.1).
public struct RTPSender: Equatable, Sendable {
    public let source: UInt32
    /// The sequence number of the next packet.
    public private(set) var sequence: UInt16
    /// The timestamp of the next frame of sound.
    public private(set) var timestamp: UInt32
    /// All packets and payload bytes sent, modulo 2³² as a sender report carries them (RFC 3550 §6.4.1).
    public private(set) var packets: UInt32 = 0
    public private(set) var octets: UInt32 = 0
    /// True when the next packet of sound is the first after silence and carries the marker (RFC 3551 §4.1).
    private var startsTalkspurt = true

    public init(source: UInt32, firstSequence: UInt16, firstTimestamp: UInt32) {
        self.source = source
        sequence = firstSequence
        timestamp = firstTimestamp
    }

    /// The header of the next frame of sound, which lasts `ticks`.
    @_noLocks
    public mutating func nextFrame(payloadType: UInt8, ticks: Int, payloadCount: Int) -> RTPHeader {
        let header = take(
            payloadType: payloadType, timestamp: timestamp, marker: startsTalkspurt, payloadCount: payloadCount)
        startsTalkspurt = false
        timestamp &+= UInt32(truncatingIfNeeded: ticks)
        return header
    }

    /// The header of a telephone event: it has its own timestamp and uses the common sequence (RFC 4733 §2.5.1.2).
    /// It does not advance the timestamp of the sound: call `pause` for the frame that the event replaces.
    @_noLocks
    public mutating func nextEvent(payloadType: UInt8, timestamp: UInt32, marker: Bool) -> RTPHeader {
        take(
            payloadType: payloadType, timestamp: timestamp, marker: marker,
            payloadCount: TelephoneEventPayload.size)
    }

    /// Advances the timestamp by `ticks` without a packet of sound: for silence, hold, or a frame replaced by an event.
    @_noLocks
    public mutating func pause(ticks: Int) {
        timestamp &+= UInt32(truncatingIfNeeded: ticks)
        startsTalkspurt = true
    }

    /// The sender information of a report at `now`. `sinceFrame` is the time since the last frame was stamped, in
    /// ticks.
    public func information(at now: Instant, sinceFrame: Int = 0) -> SenderInformation {
        SenderInformation(
            time: NTPTime(now), timestamp: timestamp &+ UInt32(truncatingIfNeeded: sinceFrame), packets: packets,
            octets: octets)
    }

    private mutating func take(
        payloadType: UInt8, timestamp: UInt32, marker: Bool, payloadCount: Int
    ) -> RTPHeader {
        defer {
            sequence &+= 1
            packets &+= 1
            octets &+= UInt32(truncatingIfNeeded: payloadCount)
        }
        return RTPHeader(
            payloadType: payloadType, sequence: sequence, timestamp: timestamp, source: source, marker: marker,
            payloadCount: payloadCount)
    }
}
