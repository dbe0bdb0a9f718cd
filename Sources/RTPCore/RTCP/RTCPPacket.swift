import Base

/// One packet of an RTCP compound, RFC 3550 §6. Ranges point into the compound it was parsed from.
public enum RTCPPacket: Equatable, Sendable {
    case senderReport(source: UInt32, SenderInformation, blocks: ReportBlocks)
    case receiverReport(source: UInt32, blocks: ReportBlocks)
    /// The first chunk's source and its CNAME item, when it has one. Further chunks are checked and ignored.
    case sourceDescription(source: UInt32?, canonicalName: Range<Int>?)
    /// `sources` holds four bytes for each source; `reason` is text from the peer.
    case goodbye(sources: Range<Int>, reason: Range<Int>?)
    case extendedReport(source: UInt32, blocks: ExtendedBlocks)
    /// A well-formed packet of a type that this module does not read (APP, RTPFB …).
    case other(type: UInt8, body: Range<Int>)

    /// Packet types, RFC 3550 §12.1.
    enum Kind {
        static let senderReport: UInt8 = 200
        static let receiverReport: UInt8 = 201
        static let sourceDescription: UInt8 = 202
        static let goodbye: UInt8 = 203
        /// RFC 3611 §2.
        static let extendedReport: UInt8 = 207
    }
}

/// The sender information of a sender report, RFC 3550 §6.4.1.
public struct SenderInformation: Equatable, Sendable {
    public static let size = 20

    public let time: NTPTime
    public let timestamp: UInt32
    public let packets: UInt32
    public let octets: UInt32

    public init(time: NTPTime, timestamp: UInt32, packets: UInt32, octets: UInt32) {
        self.time = time
        self.timestamp = timestamp
        self.packets = packets
        self.octets = octets
    }
}

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

/// The report blocks of a packet. They stay in the compound and are read one at a time, without a copy into an array.
public struct ReportBlocks: Equatable, Sendable {
    public let count: Int
    let offset: Int

    /// The block at `index`. `compound` holds the same bytes that were parsed.
    public func block(_ index: Int, in compound: Span<UInt8>) -> ReportBlock {
        precondition((0..<count).contains(index), "no such report block")
        return ReportBlock(in: compound, at: offset + index * ReportBlock.size)
    }

    /// The block about `source`; nil without one.
    public func block(about source: UInt32, in compound: Span<UInt8>) -> ReportBlock? {
        for index in 0..<count {
            let block = block(index, in: compound)
            if block.source == source { return block }
        }
        return nil
    }
}
