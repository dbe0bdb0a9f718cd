import Base

/// The counts of a receiver since its last report, RFC 3611 §4.6. A value that it did not count is nil.
public struct StatisticsSummary: Equatable, Sendable {
    public static let size = 40

    /// Smallest, largest, mean and standard deviation of a measured value.
    public struct Spread<Figure: Equatable & Sendable>: Equatable, Sendable {
        public let minimum: Figure
        public let maximum: Figure
        public let mean: Figure
        public let deviation: Figure

        public init(minimum: Figure, maximum: Figure, mean: Figure, deviation: Figure) {
            self.minimum = minimum
            self.maximum = maximum
            self.mean = mean
            self.deviation = deviation
        }
    }

    /// The remaining time to live (IPv4) or hop limit (IPv6) of packets when they arrive.
    public enum Hops: Equatable, Sendable {
        case timeToLive(Spread<UInt8>)
        case hopLimit(Spread<UInt8>)
    }

    public let source: UInt32
    /// The first sequence number of the interval, and the one after its last.
    public let begin: UInt16
    public let end: UInt16
    public var lost: UInt32?
    public var duplicates: UInt32?
    /// The difference of the transit times of a packet and the one before it, in RTP ticks.
    public var jitter: Spread<UInt32>?
    public var hops: Hops?

    public init(
        source: UInt32, begin: UInt16, end: UInt16, lost: UInt32? = nil, duplicates: UInt32? = nil,
        jitter: Spread<UInt32>? = nil, hops: Hops? = nil
    ) {
        self.source = source
        self.begin = begin
        self.end = end
        self.lost = lost
        self.duplicates = duplicates
        self.jitter = jitter
        self.hops = hops
    }

    /// The flags of the fields that have a value: L, D, J and the two bits ToH.
    private enum Flag {
        static let lost: UInt8 = 0x80
        static let duplicates: UInt8 = 0x40
        static let jitter: UInt8 = 0x20
        static let timeToLive: UInt8 = 0x08
        static let hopLimit: UInt8 = 0x10
        static let hops: UInt8 = 0x18
    }

    /// Reads the 40 bytes at `offset`, including the block header; the caller has checked that they are there. Fields
    /// without their flag are ignored.
    init(in bytes: Span<UInt8>, at offset: Int) {
        let flags = bytes[offset + 1]
        source = bytes.bigEndian(at: offset + 4)
        begin = bytes.bigEndian(at: offset + 8)
        end = bytes.bigEndian(at: offset + 10)
        lost = flags & Flag.lost == 0 ? nil : bytes.bigEndian(at: offset + 12)
        duplicates = flags & Flag.duplicates == 0 ? nil : bytes.bigEndian(at: offset + 16)
        if flags & Flag.jitter != 0 {
            jitter = Spread(
                minimum: bytes.bigEndian(at: offset + 20), maximum: bytes.bigEndian(at: offset + 24),
                mean: bytes.bigEndian(at: offset + 28), deviation: bytes.bigEndian(at: offset + 32))
        }
        let spread = Spread(
            minimum: bytes[offset + 36], maximum: bytes[offset + 37], mean: bytes[offset + 38],
            deviation: bytes[offset + 39])
        switch flags & Flag.hops {
        case Flag.timeToLive: hops = .timeToLive(spread)
        case Flag.hopLimit: hops = .hopLimit(spread)
        default: hops = nil
        }
    }

    func write(into bytes: inout MutableSpan<UInt8>, at offset: Int) {
        let (life, hopFlag) = life
        bytes[offset] = ExtendedBlock.Kind.summary
        bytes[offset + 1] =
            (lost == nil ? 0 : Flag.lost) | (duplicates == nil ? 0 : Flag.duplicates)
            | (jitter == nil ? 0 : Flag.jitter) | hopFlag
        bytes.store(bigEndian: UInt16(Self.size / 4 - 1), at: offset + 2)
        bytes.store(bigEndian: source, at: offset + 4)
        bytes.store(bigEndian: begin, at: offset + 8)
        bytes.store(bigEndian: end, at: offset + 10)
        bytes.store(bigEndian: lost ?? 0, at: offset + 12)
        bytes.store(bigEndian: duplicates ?? 0, at: offset + 16)
        bytes.store(bigEndian: jitter?.minimum ?? 0, at: offset + 20)
        bytes.store(bigEndian: jitter?.maximum ?? 0, at: offset + 24)
        bytes.store(bigEndian: jitter?.mean ?? 0, at: offset + 28)
        bytes.store(bigEndian: jitter?.deviation ?? 0, at: offset + 32)
        bytes[offset + 36] = life?.minimum ?? 0
        bytes[offset + 37] = life?.maximum ?? 0
        bytes[offset + 38] = life?.mean ?? 0
        bytes[offset + 39] = life?.deviation ?? 0
    }

    private var life: (Spread<UInt8>?, flag: UInt8) {
        switch hops {
        case .timeToLive(let spread): (spread, Flag.timeToLive)
        case .hopLimit(let spread): (spread, Flag.hopLimit)
        case nil: (nil, 0)
        }
    }
}
