import Base

/// Reads an RTCP compound packet by packet. Parsing is total: any bytes give packets or one exact error, never a trap.
///
/// The reader holds no bytes: pass the same compound to every call. A malformed packet does not invalidate the packets
/// before it. Reduced-size compounds (RFC 5506) are accepted. Cost: O(length), no allocation.
public struct RTCPReader: Equatable, Sendable {
    public enum ParseError: Error, Equatable, Sendable {
        /// A packet's length field exceeds the bytes that are left.
        case truncated(needed: Int, available: Int)
        case version(UInt8)
        /// Padding that is not a positive multiple of four inside the last packet (RFC 3550 §6.4.1).
        case padding(UInt8)
        /// A count of blocks, chunks or sources that does not fit into its packet.
        case count(type: UInt8, count: Int)
        /// A source description whose items run past their packet or are not terminated.
        case items
        /// A block of an extended report that runs past its packet, or whose length does not fit its type (RFC 3611
        /// §4).
        case block(type: UInt8, size: Int, available: Int)
    }

    private var offset = 0

    public init() {}

    /// The next packet, or nil at the end.
    public mutating func next(in compound: Span<UInt8>) throws(ParseError) -> RTCPPacket? {
        let available = compound.count - offset
        guard available > 0 else { return nil }
        guard available >= 4 else { throw .truncated(needed: 4, available: available) }
        guard compound[offset] >> 6 == 2 else { throw .version(compound[offset] >> 6) }
        let words: UInt16 = compound.bigEndian(at: offset + 2)
        let length = 4 * (Int(words) + 1)
        guard length <= available else { throw .truncated(needed: length, available: available) }
        let end = try bodyEnd(in: compound, packet: offset..<offset + length)
        let packet = try Self.packet(
            type: compound[offset + 1], count: Int(compound[offset] & 0x1F), body: offset + 4..<end, in: compound)
        offset += length
        return packet
    }

    /// Padding is only allowed in the last packet of a compound.
    private func bodyEnd(in compound: Span<UInt8>, packet: Range<Int>) throws(ParseError) -> Int {
        guard compound[packet.lowerBound] & 0x20 != 0 else { return packet.upperBound }
        let padding = compound[packet.upperBound - 1]
        let fits = padding > 0 && padding % 4 == 0 && packet.count - Int(padding) >= 4
        guard packet.upperBound == compound.count, fits else { throw .padding(padding) }
        return packet.upperBound - Int(padding)
    }

    private static func packet(
        type: UInt8, count: Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> RTCPPacket {
        switch type {
        case RTCPPacket.Kind.senderReport:
            let blocks = try reportBlocks(type: type, count: count, body: body, from: 4 + SenderInformation.size)
            let start = body.lowerBound
            let information = SenderInformation(
                time: NTPTime(rawValue: compound.bigEndian(at: start + 4)),
                timestamp: compound.bigEndian(at: start + 12), packets: compound.bigEndian(at: start + 16),
                octets: compound.bigEndian(at: start + 20))
            return .senderReport(source: compound.bigEndian(at: start), information, blocks: blocks)
        case RTCPPacket.Kind.receiverReport:
            let blocks = try reportBlocks(type: type, count: count, body: body, from: 4)
            return .receiverReport(source: compound.bigEndian(at: body.lowerBound), blocks: blocks)
        case RTCPPacket.Kind.sourceDescription:
            return try sourceDescription(count: count, body: body, in: compound)
        case RTCPPacket.Kind.goodbye:
            return try goodbye(count: count, body: body, in: compound)
        case RTCPPacket.Kind.extendedReport:
            guard body.count >= 4 else { throw .count(type: type, count: 0) }
            let blocks = try ExtendedBlocks(body.dropFirst(4), in: compound)
            return .extendedReport(source: compound.bigEndian(at: body.lowerBound), blocks: blocks)
        case let other:
            return .other(type: other, body: body)
        }
    }

    private static func reportBlocks(
        type: UInt8, count: Int, body: Range<Int>, from start: Int
    ) throws(ParseError) -> ReportBlocks {
        guard body.count >= start + count * ReportBlock.size else { throw .count(type: type, count: count) }
        return ReportBlocks(count: count, offset: body.lowerBound + start)
    }

    private static func goodbye(
        count: Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> RTCPPacket {
        let end = body.lowerBound + 4 * count
        guard end <= body.upperBound else { throw .count(type: RTCPPacket.Kind.goodbye, count: count) }
        guard end < body.upperBound else { return .goodbye(sources: body.lowerBound..<end, reason: nil) }
        let reasonEnd = end + 1 + Int(compound[end])
        guard reasonEnd <= body.upperBound else { throw .items }
        return .goodbye(sources: body.lowerBound..<end, reason: end + 1..<reasonEnd)
    }
}

extension RTCPReader {
    /// SDES item types, RFC 3550 §6.5.
    private static let endOfItems: UInt8 = 0
    static let canonicalNameItem: UInt8 = 1

    /// Reads the first chunk's canonical name and checks the other chunks, so that a wrong length anywhere is an error.
    static func sourceDescription(
        count: Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> RTCPPacket {
        var offset = body.lowerBound
        var first: (source: UInt32, name: Range<Int>?)?
        for _ in 0..<count {
            guard offset + 4 <= body.upperBound else {
                throw .count(type: RTCPPacket.Kind.sourceDescription, count: count)
            }
            let source: UInt32 = compound.bigEndian(at: offset)
            let name = try items(from: &offset, body: body, in: compound)
            if first == nil { first = (source, name) }
        }
        return .sourceDescription(source: first?.source, canonicalName: first?.name)
    }

    /// Reads one chunk: its source, its items up to a zero byte, and padding up to the next multiple of four.
    private static func items(
        from offset: inout Int, body: Range<Int>, in compound: Span<UInt8>
    ) throws(ParseError) -> Range<Int>? {
        var name: Range<Int>?
        var at = offset + 4
        while at < body.upperBound, compound[at] != endOfItems {
            guard at + 2 <= body.upperBound else { throw .items }
            let text = at + 2..<at + 2 + Int(compound[at + 1])
            guard text.upperBound <= body.upperBound else { throw .items }
            if compound[at] == canonicalNameItem, name == nil { name = text }
            at = text.upperBound
        }
        let end = offset + (at + 1 - offset + 3) / 4 * 4
        guard at < body.upperBound, end <= body.upperBound else { throw .items }
        offset = end
        return name
    }
}
