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

/// Counts the values of a statistics summary for one interval (RFC 3611 §4.6), packet by packet in arrival order.
///
/// A packet more than 63 behind the newest one counts neither as received nor as a duplicate. It is too late to be of
/// use, and a sender that repeats it does not change the counts. Cost: O(1), no allocation.
struct SummaryTally: Equatable, Sendable {
    private var sequence: ExtendedSequence
    /// The first sequence number of the interval.
    private var begin: Int64
    /// Bit n is set when the packet n before the newest one has arrived.
    private var seen: UInt64 = 1
    private var received: Int64 = 1
    private var duplicates: UInt32 = 0
    private var changes: Int64 = 0
    private var smallest = UInt32.max
    private var largest: UInt32 = 0
    private var sum = 0.0
    private var squares = 0.0

    /// Starts with the first packet of the stream.
    init(first: UInt16) {
        sequence = ExtendedSequence(first: first)
        begin = Int64(first)
    }

    /// - Parameter change: The change of the transit time since the packet before, in ticks; nil for the first packet.
    mutating func observe(_ wire: UInt16, change: UInt32?) {
        let newest = sequence.newest
        let value = sequence.extend(wire)
        count(value, ahead: value - newest)
        guard let change else { return }
        changes += 1
        smallest = min(smallest, change)
        largest = max(largest, change)
        sum += Double(change)
        squares += Double(change) * Double(change)
    }

    private mutating func count(_ value: Int64, ahead: Int64) {
        if ahead > 0 {
            seen = ahead < 64 ? seen << UInt64(ahead) | 1 : 1
            received += 1
            return
        }
        guard ahead > -64 else { return }
        let bit = UInt64(1) << UInt64(-ahead)
        if seen & bit != 0 {
            duplicates = duplicates == .max ? .max : duplicates + 1
        } else if value >= begin {
            received += 1
        }
        seen |= bit
    }

    /// Returns the interval's summary and begins the next interval. Nil when no newer packet has arrived in the
    /// interval.
    mutating func take(about source: UInt32) -> StatisticsSummary? {
        let end = sequence.newest + 1
        guard end > begin else { return nil }
        let summary = StatisticsSummary(
            source: source, begin: UInt16(truncatingIfNeeded: begin), end: UInt16(truncatingIfNeeded: end),
            lost: UInt32(clamping: end - begin - received), duplicates: duplicates, jitter: jitter)
        begin = end
        (received, duplicates, changes) = (0, 0, 0)
        (smallest, largest, sum, squares) = (.max, 0, 0, 0)
        return summary
    }

    private var jitter: StatisticsSummary.Spread<UInt32>? {
        guard changes > 0 else { return nil }
        let mean = sum / Double(changes)
        let variance = max(0, squares / Double(changes) - mean * mean)
        return StatisticsSummary.Spread(
            minimum: smallest, maximum: largest, mean: UInt32(mean.rounded()),
            deviation: UInt32(variance.squareRoot().rounded()))
    }
}
