import Base

/// The report of a receiver about one source, RFC 3550 §6.4.1.
public struct ReportBlock: Equatable, Sendable {
    public static let size = 24

    public let source: UInt32
    /// The share of packets lost since the last report, in 1/256.
    public let fractionLost: UInt8
    /// Packets lost since the start, -2²³...2²³-1; negative when duplicates outnumber losses.
    public let cumulativeLost: Int32
    public let highestSequence: UInt32
    /// Interarrival jitter in RTP ticks.
    public let jitter: UInt32
    /// The middle 32 bits of the time in the newest sender report received, 0 for none.
    public let lastSenderReport: UInt32
    /// The time since that report arrived, in 1/65,536 s.
    public let delaySinceLastSenderReport: UInt32

    public init(
        source: UInt32, fractionLost: UInt8, cumulativeLost: Int32, highestSequence: UInt32, jitter: UInt32,
        lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
    ) {
        self.source = source
        self.fractionLost = fractionLost
        self.cumulativeLost = min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)
        self.highestSequence = highestSequence
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    /// Reads the 24 bytes at `offset`; the caller has checked that they are there.
    init(in bytes: Span<UInt8>, at offset: Int) {
        let loss: UInt32 = bytes.bigEndian(at: offset + 4)
        source = bytes.bigEndian(at: offset)
        fractionLost = UInt8(truncatingIfNeeded: loss >> 24)
        cumulativeLost = Int32(bitPattern: loss << 8) >> 8
        highestSequence = bytes.bigEndian(at: offset + 8)
        jitter = bytes.bigEndian(at: offset + 12)
        lastSenderReport = bytes.bigEndian(at: offset + 16)
        delaySinceLastSenderReport = bytes.bigEndian(at: offset + 20)
    }

    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        let loss = UInt32(fractionLost) << 24 | UInt32(bitPattern: cumulativeLost) & 0xFF_FFFF
        bytes.store(bigEndian: source, at: offset)
        bytes.store(bigEndian: loss, at: offset + 4)
        bytes.store(bigEndian: highestSequence, at: offset + 8)
        bytes.store(bigEndian: jitter, at: offset + 12)
        bytes.store(bigEndian: lastSenderReport, at: offset + 16)
        bytes.store(bigEndian: delaySinceLastSenderReport, at: offset + 20)
    }
}
