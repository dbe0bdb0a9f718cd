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
