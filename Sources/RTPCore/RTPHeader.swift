import Base

/// The header of one RTP packet, RFC 3550 §5.1.
///
/// Parsing is total: any bytes give a header or an exact error. It copies and allocates nothing; the ranges
/// point into the packet it was parsed from. Safe on a real-time thread.
public struct RTPHeader: Equatable, BitwiseCopyable, Sendable {
    public enum ParseError: Error, Equatable, Sendable {
        case truncated(needed: Int, available: Int)
        case version(UInt8)
        /// The last byte claims more padding than there is, or 0, although the count includes itself (RFC 3550 §5.1).
        case padding(UInt8)
    }

    /// The size of a header without CSRCs or extension, as this phone sends it.
    public static let size = 12

    public let marker: Bool
    /// 0...127.
    public let payloadType: UInt8
    public let sequence: UInt16
    public private(set) var timestamp: UInt32
    public let source: UInt32
    /// The number of contributing sources, 0...15. Each has four bytes, directly after the fixed header.
    public let contributorCount: Int
    /// Profile number and body of the extension, if there is one (RFC 3550 §5.3.1).
    public let headerExtension: HeaderExtension?
    /// Where the payload lies in the parsed packet: after the extension, before the padding. Empty is legal.
    public var payload: Range<Int> { payloadStart..<payloadEnd }
    private let payloadStart: Int
    private let payloadEnd: Int

    public struct HeaderExtension: Equatable, BitwiseCopyable, Sendable {
        public let profile: UInt16
        public var body: Range<Int> { start..<end }
        private let start: Int
        fileprivate let end: Int

        fileprivate init(profile: UInt16, body: Range<Int>) {
            self.profile = profile
            (start, end) = (body.lowerBound, body.upperBound)
        }
    }

    /// A header to be written, with the payload directly after it.
    public init(
        payloadType: UInt8, sequence: UInt16, timestamp: UInt32, source: UInt32, marker: Bool = false,
        payloadCount: Int = 0
    ) {
        self.init(
            payloadType: payloadType, sequence: sequence, timestamp: timestamp, source: source, marker: marker,
            payload: Self.size..<Self.size + payloadCount)
    }

    private init(
        payloadType: UInt8, sequence: UInt16, timestamp: UInt32, source: UInt32, marker: Bool, payload: Range<Int>
    ) {
        precondition(payloadType < 128, "a payload type has seven bits")
        self.marker = marker
        self.payloadType = payloadType
        self.sequence = sequence
        self.timestamp = timestamp
        self.source = source
        contributorCount = 0
        headerExtension = nil
        (payloadStart, payloadEnd) = (payload.lowerBound, payload.upperBound)
    }

    /// The header of a block of this packet's payload, as if the block had come in a packet of its own (RFC 2198).
    /// - Parameters:
    ///   - range: Where the block lies in the payload.
    ///   - packets: How many packets before this one the block belongs; 0: to this packet.
    ///   - ticks: How much earlier its timestamp is.
    public func block(
        payloadType: UInt8, at range: Range<Int>, packetsBefore packets: Int = 0, ticksBefore ticks: UInt32 = 0
    ) -> RTPHeader {
        RTPHeader(
            payloadType: payloadType, sequence: sequence &- UInt16(truncatingIfNeeded: packets),
            timestamp: timestamp &- ticks, source: source, marker: packets == 0 && marker,
            payload: payloadStart + range.lowerBound..<payloadStart + range.upperBound)
    }

    public init(parsing packet: Span<UInt8>) throws(ParseError) {
        try Self.require(Self.size, in: packet)
        guard packet[0] >> 6 == 2 else { throw .version(packet[0] >> 6) }
        contributorCount = Int(packet[0] & 0x0F)
        var start = Self.size + 4 * contributorCount
        try Self.require(start, in: packet)
        headerExtension = try packet[0] & 0x10 == 0 ? nil : Self.parseExtension(in: packet, at: start)
        if let headerExtension { start = headerExtension.end }
        payloadStart = start
        payloadEnd = try Self.payloadEnd(in: packet, after: start)
        marker = packet[1] & 0x80 != 0
        payloadType = packet[1] & 0x7F
        sequence = packet.bigEndian(at: 2)
        timestamp = packet.bigEndian(at: 4)
        source = packet.bigEndian(at: 8)
    }

    /// The same header for a receiver whose clock has `factor` ticks for each tick of this timestamp. That is correct
    /// across the timestamp's wrap, too.
    public func scaled(by factor: Int) -> RTPHeader {
        var header = self
        header.timestamp &*= UInt32(factor)
        return header
    }

    /// Writes the twelve fixed bytes at the start of `packet`.
    @_noLocks
    public func write(into packet: inout MutableSpan<UInt8>) {
        precondition(packet.count >= Self.size, "no room for an RTP header")
        precondition(contributorCount == 0 && headerExtension == nil, "only plain headers are written")
        packet[0] = 0x80
        packet[1] = (marker ? 0x80 : 0) | payloadType
        packet.store(bigEndian: sequence, at: 2)
        packet.store(bigEndian: timestamp, at: 4)
        packet.store(bigEndian: source, at: 8)
    }

    private static func require(_ needed: Int, in packet: Span<UInt8>) throws(ParseError) {
        guard packet.count >= needed else { throw .truncated(needed: needed, available: packet.count) }
    }

    private static func parseExtension(
        in packet: Span<UInt8>, at start: Int
    ) throws(ParseError) -> HeaderExtension {
        try require(start + 4, in: packet)
        let words: UInt16 = packet.bigEndian(at: start + 2)
        let end = start + 4 + 4 * Int(words)
        try require(end, in: packet)
        return HeaderExtension(profile: packet.bigEndian(at: start), body: start + 4..<end)
    }

    private static func payloadEnd(in packet: Span<UInt8>, after start: Int) throws(ParseError) -> Int {
        guard packet[0] & 0x20 != 0 else { return packet.count }
        let padding = packet[packet.count - 1]
        guard padding > 0, packet.count - Int(padding) >= start else { throw .padding(padding) }
        return packet.count - Int(padding)
    }
}

/// The protocol of a datagram on a media port, by its first bytes: RFC 7983 §7 and, for RTCP, RFC 5761 §4.
public enum MuxedPacket: Equatable, Sendable {
    case stun, dtls, turnChannel, rtp, rtcp
    /// A datagram of no known protocol, which is counted and dropped.
    case unknown

    public init(classifying datagram: Span<UInt8>) {
        guard datagram.count >= 2 else {
            self = .unknown
            return
        }
        switch datagram[0] {
        case 0...3: self = .stun
        case 20...63: self = .dtls
        case 64...79: self = .turnChannel
        // RTCP types 192...223 look like payload types 64...95 with the marker set, which RTP then avoids.
        case 128...191: self = (192...223).contains(datagram[1]) ? .rtcp : .rtp
        default: self = .unknown
        }
    }
}

/// Extends a counter that wraps on the wire to one that does not wrap.
///
/// Each wire value means the extended value nearest to the newest one so far. So reordering up to half the range in
/// either direction is handled (RFC 3550 §A.1, RFC 3711 §3.3.1). Cost: O(1), no allocation.
public struct ExtendedCounter<Wire: FixedWidthInteger & UnsignedInteger & Sendable>: Equatable, Sendable {
    /// The largest extended value seen. Starts as the first wire value; earlier ones may be negative.
    public private(set) var newest: Int64

    public init(first: Wire) { newest = Int64(first) }

    /// The extended value of `wire`, which becomes the newest if it is ahead.
    public mutating func extend(_ wire: Wire) -> Int64 {
        let value = Self.nearest(to: newest, wire: wire)
        newest = max(newest, value)
        return value
    }

    /// How often the wire value has wrapped since the start: the rollover counter of RFC 3711.
    public var rollovers: Int64 { newest >> Int64(Wire.bitWidth) }

    /// The extended value nearest to `reference` whose lower bits are `wire`.
    public static func nearest(to reference: Int64, wire: Wire) -> Int64 {
        reference &+ distance(from: Wire(truncatingIfNeeded: reference), to: wire)
    }

    /// How far `later` is ahead of `earlier` in the shorter direction around the range; negative when it is behind.
    public static func distance(from earlier: Wire, to later: Wire) -> Int64 {
        let shift = Int64(64 - Wire.bitWidth)
        return (Int64(truncatingIfNeeded: later &- earlier) << shift) >> shift
    }
}

public typealias ExtendedSequence = ExtendedCounter<UInt16>
public typealias ExtendedTimestamp = ExtendedCounter<UInt32>

extension MutableSpan<UInt8> {
    /// Stores an unsigned integer in network order. The caller has checked that it fits.
    @_lifetime(self: copy self)
    mutating func store<Number: FixedWidthInteger & UnsignedInteger>(bigEndian number: Number, at offset: Int) {
        let width = Number.bitWidth / 8
        for index in 0..<width {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - index)))
        }
    }
}
