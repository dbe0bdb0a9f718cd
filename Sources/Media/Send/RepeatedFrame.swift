import RTPCore

/// The frame that was sent last, to go out once more with the next (RFC 2198). For the audio thread: allocates nothing
/// after `init`.
struct RepeatedFrame: ~Copyable {
    private let bytes = Workspace<UInt8>(count: RedundantPayload.longestBlock, filler: 0)
    private var count = 0
    /// Of its own packet, with the type of its codec; nil when there is none to repeat.
    private var header: RTPHeader?

    /// - Parameters:
    ///   - header: of the packet that it went out with.
    ///   - payloadType: of its codec.
    mutating func remember(_ frame: Span<UInt8>, sentWith header: RTPHeader, payloadType: UInt8) {
        guard frame.count <= bytes.count else { return forget() }
        for index in frame.indices { bytes[index] = frame[index] }
        count = frame.count
        self.header = RTPHeader(
            payloadType: payloadType, sequence: header.sequence, timestamp: header.timestamp, source: header.source)
    }

    mutating func forget() { header = nil }

    /// Bytes that it takes before the next frame's; 0 when it is not to be repeated: receivers take what is repeated
    /// for the packet directly before.
    func length(before next: borrowing RTPSender, payloadType: UInt8) -> Int {
        guard let header, header.payloadType == payloadType, header.sequence &+ 1 == next.sequence,
            next.timestamp &- header.timestamp <= RedundantPayload.longestAge
        else { return 0 }
        return RedundantPayload.overhead + count
    }

    /// Writes it before the bytes of the frame that has the timestamp, which is of the same codec.
    func write(before timestamp: UInt32, into packet: inout MutableSpan<UInt8>, at offset: Int) {
        guard let header else { preconditionFailure("there is something to repeat") }
        RedundantPayload.writeHeaders(
            older: (header.payloadType, timestamp &- header.timestamp, count), newest: header.payloadType,
            into: &packet, at: offset)
        for index in 0..<count { packet[offset + RedundantPayload.overhead + index] = bytes[index] }
    }
}
