import Base

/// How long something took: a summary of many samples for people.
package struct LatencyFigures: Equatable, Sendable {
    package let count: Int
    package let least: Duration
    package let median: Duration
    /// 99 of 100 took no longer.
    package let percentile99: Duration
    package let most: Duration

    /// Nil: there is no sample.
    package init?(_ samples: [Duration]) {
        let sorted = samples.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        /// The smallest sample that this percentage of samples do not exceed.
        func rank(_ percent: Int) -> Duration { sorted[(sorted.count * percent + 99) / 100 - 1] }
        (count, self.least, self.most) = (sorted.count, least, most)
        (median, percentile99) = (rank(50), rank(99))
    }
}

extension LatencyFigures: CustomStringConvertible {
    package var description: String {
        func words(_ time: Duration) -> String { "\(time.nanoseconds / 1_000) µs" }
        return "\(count) times: least \(words(least)), median \(words(median)), "
            + "99 % within \(words(percentile99)), most \(words(most))"
    }
}
