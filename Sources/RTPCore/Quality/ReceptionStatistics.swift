import Base

/// The reception statistics of one source, as report blocks carry them: RFC 3550 §A.1, §A.3 and §A.8.
///
/// Feed every packet of the stream once, in arrival order. Cost: O(1), no allocation.
public struct ReceptionStatistics: Equatable, Sendable {
    /// RFC 3550 §A.1's limits.
    private static let maximumDropout: UInt16 = 3_000
    private static let maximumMisorder: UInt16 = 100
    private static let probation = 2

    public enum Verdict: Equatable, Sendable {
        case accepted
        /// A new source must send two packets in order before it counts.
        case onProbation
        /// The sequence number is too far from the expected one; a second packet in order restarts the count.
        case rejected
    }

    public let source: UInt32
    private let clock: MediaClock
    private var highest: UInt16
    private var cycles: UInt32 = 0
    private var base: UInt32
    /// The sequence number that would confirm a restart; nil when no restart is possible.
    private var confirming: UInt32?
    private var untilTrusted = Self.probation
    private var received: UInt32 = 0
    private var receivedPrior: UInt32 = 0
    private var expectedPrior: UInt32 = 0
    private var jitter = InterarrivalJitter()
    private var lastReport: HeardReport?
    private var interval: SummaryTally?

    private struct HeardReport: Equatable, Sendable {
        let middle: UInt32
        let heard: Instant
    }

    public init(source: UInt32, clockRate: Int, firstSequence: UInt16) {
        self.source = source
        clock = MediaClock(rate: clockRate)
        highest = firstSequence &- 1
        base = UInt32(firstSequence)
    }

    /// Cycles and highest sequence, as a report block carries them.
    public var extendedHighest: UInt32 { cycles &+ UInt32(highest) }
    /// Interarrival jitter in ticks.
    public var jitterTicks: UInt32 { jitter.ticks }
    public var jitterMilliseconds: Double { clock.milliseconds(ticks: Int64(jitter.ticks)) }
    public var packetsReceived: UInt32 { received }
    public var packetsExpected: UInt32 { untilTrusted > 0 ? 0 : extendedHighest &- base &+ 1 }
    public var packetsLost: Int32 { Int32(truncatingIfNeeded: Int64(packetsExpected) - Int64(received)) }

    public mutating func receive(sequence: UInt16, timestamp: UInt32, at now: Instant) -> Verdict {
        let verdict = update(sequence)
        if verdict == .accepted {
            let arrival = UInt32(truncatingIfNeeded: clock.ticks(now))
            let change = jitter.observe(arrival: arrival, timestamp: timestamp)
            interval?.observe(sequence, change: change)
            interval = interval ?? SummaryTally(first: sequence)
        }
        return verdict
    }

    /// Remembers the peer's sender report for our next blocks.
    public mutating func receive(_ information: SenderInformation, at now: Instant) {
        lastReport = HeardReport(middle: information.time.middle, heard: now)
    }

    /// The block to send now; nil while the source is on probation. The fraction covers the time since the last call
    /// (RFC 3550 §A.3).
    public mutating func reportBlock(at now: Instant) -> ReportBlock? {
        guard untilTrusted == 0 else { return nil }
        let expected = packetsExpected
        let expectedInterval = Int64(expected &- expectedPrior)
        let lostInterval = expectedInterval - Int64(received &- receivedPrior)
        expectedPrior = expected
        receivedPrior = received
        let fraction = expectedInterval > 0 && lostInterval > 0 ? min(255, lostInterval * 256 / expectedInterval) : 0
        return ReportBlock(
            source: source, fractionLost: UInt8(fraction), cumulativeLost: packetsLost,
            highestSequence: extendedHighest, jitter: jitter.ticks, lastSenderReport: lastReport?.middle ?? 0,
            delaySinceLastSenderReport: lastReport.map { NTPTime.units(of: now - $0.heard) } ?? 0)
    }

    /// The summary to send now, of the time since the last call (RFC 3611 §4.6); nil when nothing new has come.
    public mutating func summary() -> StatisticsSummary? { interval?.take(about: source) }

    private mutating func update(_ sequence: UInt16) -> Verdict {
        if untilTrusted > 0 { return updateOnProbation(sequence) }
        let ahead = sequence &- highest
        if ahead < Self.maximumDropout {
            if sequence < highest { cycles &+= 0x1_0000 }
            highest = sequence
        } else if ahead <= UInt16.max - Self.maximumMisorder + 1 {
            guard confirming == UInt32(sequence) else {
                confirming = UInt32(sequence &+ 1)
                return .rejected
            }
            restart(at: sequence)
        }
        received &+= 1
        return .accepted
    }

    private mutating func updateOnProbation(_ sequence: UInt16) -> Verdict {
        untilTrusted = sequence == highest &+ 1 ? untilTrusted - 1 : Self.probation - 1
        highest = sequence
        guard untilTrusted == 0 else { return .onProbation }
        restart(at: sequence)
        received = 1
        return .accepted
    }

    private mutating func restart(at sequence: UInt16) {
        base = UInt32(sequence)
        highest = sequence
        cycles = 0
        confirming = nil
        received = 0
        receivedPrior = 0
        expectedPrior = 0
        jitter = InterarrivalJitter()
        interval = nil
    }
}

/// The statistics of the current source. Another source replaces it with its second packet in order (RFC 3550 §A.1). So
/// a stray packet, a forged packet or a late packet of an earlier source does not erase the statistics.
///
/// Feed every packet of the session once, in arrival order. Cost: O(1), no allocation.
public struct Reception: Equatable, Sendable {
    /// The statistics of the current source; nil until two of its packets came in order.
    public private(set) var statistics: ReceptionStatistics?
    /// The statistics of another source since its first packet, until it is accepted.
    private var candidate: ReceptionStatistics?

    public init() {}

    /// - Parameter clockRate: RTP ticks a second. It must not change during the life of this value.
    @discardableResult
    public mutating func receive(
        _ header: RTPHeader, clockRate: Int, at now: Instant
    ) -> ReceptionStatistics.Verdict {
        if var heard = statistics, heard.source == header.source {
            candidate = nil
            let verdict = heard.receive(sequence: header.sequence, timestamp: header.timestamp, at: now)
            statistics = heard
            return verdict
        }
        var heard =
            candidate.flatMap { $0.source == header.source ? $0 : nil }
            ?? ReceptionStatistics(source: header.source, clockRate: clockRate, firstSequence: header.sequence)
        let verdict = heard.receive(sequence: header.sequence, timestamp: header.timestamp, at: now)
        if verdict == .accepted { (statistics, candidate) = (heard, nil) } else { candidate = heard }
        return verdict
    }

    /// Remembers a sender report, if it comes from the current source.
    public mutating func receive(_ information: SenderInformation, from source: UInt32, at now: Instant) {
        if statistics?.source == source { statistics?.receive(information, at: now) }
    }

    /// The block to send now; nil while no source is known.
    public mutating func reportBlock(at now: Instant) -> ReportBlock? { statistics?.reportBlock(at: now) }

    /// The summary to send now; nil when nothing new has come.
    public mutating func summary() -> StatisticsSummary? { statistics?.summary() }
}

/// The spread of packet transit times, smoothed as a report block carries it: `J += (|D| - J) / 16`.
///
/// Feed each packet once, in arrival order. Held in sixteenths, the integer form of RFC 3550 §A.8.
/// Units: RTP ticks. Range: 0...2³²-1, saturating. Cost: O(1), no allocation.
public struct InterarrivalJitter: Equatable, Sendable {
    private var sixteenths: UInt64 = 0
    private var lastTransit: UInt32?

    public init() {}

    public var ticks: UInt32 { UInt32(clamping: sixteenths >> 4) }

    /// - Parameter arrival: Local receive time in RTP ticks from any fixed origin, modulo 2³².
    /// - Returns: The difference between this packet's transit time and the previous one's; nil for the first.
    @discardableResult
    @_noLocks
    public mutating func observe(arrival: UInt32, timestamp: UInt32) -> UInt32? {
        let transit = arrival &- timestamp
        defer { lastTransit = transit }
        guard let lastTransit else { return nil }
        let distance = Int32(bitPattern: transit &- lastTransit).magnitude
        sixteenths = sixteenths + UInt64(distance) - ((sixteenths + 8) >> 4)
        return distance
    }
}
