import Base

/// Counts values by size, as Prometheus expects: how many were at most as large as each bound.
public struct Histogram: Equatable, Sendable {
    /// Ascending, in the metric's unit.
    public let bounds: [Double]
    /// How many values fell between a bound and the previous one; the last count is for values above all bounds.
    public private(set) var counts: [Int]
    public private(set) var sum = 0.0

    public init(_ bounds: [Double]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    public var count: Int { counts.reduce(0, +) }

    /// Values that are not finite are not counted, because they would spoil the sum for ever.
    public mutating func observe(_ value: Double) {
        guard value.isFinite else { return }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }

    public mutating func observe(_ duration: Duration) { observe(Double(duration.nanoseconds) / 1e9) }
}
