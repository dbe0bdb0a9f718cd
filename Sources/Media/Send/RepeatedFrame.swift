import RTPCore

/// The last sent frame, to repeat it in the next packet (RFC 2198). For the audio thread: allocates nothing after
/// `init`.
struct RepeatedFrame: ~Copyable {
    private let bytes = Workspace<UInt8>(count: RedundantPayload.longestBlock, filler: 0)
    private var count = 0
    /// The header of the frame's own packet, with its codec's payload type; nil without a frame to repeat.
    private var header: RTPHeader?

    /// - Parameters:
    ///   - header: the header of the packet in which the frame was sent.
    ///   - payloadType: the payload type of its codec.
    mutating func remember(_ frame: Span<UInt8>, sentWith header: RTPHeader, payloadType: UInt8) {
        guard frame.count <= bytes.count else { return forget() }
        for index in frame.indices { bytes[index] = frame[index] }
        count = frame.count
        self.header = RTPHeader(
            payloadType: payloadType, sequence: header.sequence, timestamp: header.timestamp, source: header.source)
    }

    mutating func forget() { header = nil }

    /// The bytes that the repeated frame takes before the next frame; 0 if it must not be repeated. Receivers assume
    /// that a repeated frame belongs to the packet directly before.
    func length(before next: borrowing RTPSender, payloadType: UInt8) -> Int {
        guard let header, header.payloadType == payloadType, header.sequence &+ 1 == next.sequence,
            next.timestamp &- header.timestamp <= RedundantPayload.longestAge
        else { return 0 }
        return RedundantPayload.overhead + count
    }

    /// Writes the frame before the bytes of the next frame, which has this timestamp and the same codec.
    func write(before timestamp: UInt32, into packet: inout MutableSpan<UInt8>, at offset: Int) {
        guard let header else { preconditionFailure("there is something to repeat") }
        RedundantPayload.writeHeaders(
            older: (header.payloadType, timestamp &- header.timestamp, count), newest: header.payloadType,
            into: &packet, at: offset)
        for index in 0..<count { packet[offset + RedundantPayload.overhead + index] = bytes[index] }
    }
}
