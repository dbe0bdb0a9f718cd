/// What a statistics summary tells of one interval (RFC 3611 §4.6), counted packet by packet in arrival order.
///
/// A packet more than 63 behind the newest one is neither received nor a duplicate here: nobody waits for it, and
/// whoever sends it again and again changes nothing. Cost: O(1), no allocation.
struct SummaryTally: Equatable, Sendable {
    private var sequence: ExtendedSequence
    /// First sequence of the interval.
    private var begin: Int64
    /// Bit n: the packet n before the newest one has come.
    private var seen: UInt64 = 1
    private var received: Int64 = 1
    private var duplicates: UInt32 = 0
    private var changes: Int64 = 0
    private var smallest = UInt32.max
    private var largest: UInt32 = 0
    private var sum = 0.0
    private var squares = 0.0

    /// The first packet of the stream.
    init(first: UInt16) {
        sequence = ExtendedSequence(first: first)
        begin = Int64(first)
    }

    /// - Parameter change: Of the transit time since the packet before, in ticks; nil for the first.
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

    /// The interval's summary; the next interval begins. Nil when nothing new has come.
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
