/// The last values of a repeated measurement, as a row of blocks.
struct Sparkline: Equatable, Sendable {
    /// The number of values.
    static let limit = 16
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// The values of the lowest and the highest block.
    let range: ClosedRange<Double>
    private(set) var values: [Double] = []

    init(_ range: ClosedRange<Double>) { self.range = range }

    mutating func append(_ value: Double) {
        values = (values + [value]).suffix(Self.limit)
    }

    /// A value out of range shows as the nearest one in it.
    var text: String {
        String(
            values.map { value in
                let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
                let step = (share * Double(Self.blocks.count - 1)).rounded()
                // NaN has no place in the range, so draw it lowest.
                return Self.blocks[step >= 0 ? min(Int(min(step, 100)), Self.blocks.count - 1) : 0]
            })
    }
}
