/// The last values of something that is measured again and again, as a row of blocks.
struct Sparkline: Equatable, Sendable {
    /// Values that are kept.
    static let limit = 16
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// The values that are shown as the lowest and as the highest block.
    let range: ClosedRange<Double>
    private(set) var values: [Double] = []

    init(_ range: ClosedRange<Double>) { self.range = range }

    mutating func append(_ value: Double) {
        values = (values + [value]).suffix(Self.limit)
    }

    /// A value out of range is shown as the nearest one in it.
    var text: String {
        String(
            values.map { value in
                let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
                let step = (share * Double(Self.blocks.count - 1)).rounded()
                // What is not a number has no place; it is drawn lowest.
                return Self.blocks[step >= 0 ? min(Int(min(step, 100)), Self.blocks.count - 1) : 0]
            })
    }
}
