/// Follows how loud a stream of sound is, for display. The level is the largest sample, which then falls by half in
/// about 110 ms with quanta of 10 ms, so that a word is visible.
///
/// Cost: one pass over the samples. Allocates nothing.
public struct LevelMeter: Sendable {
    /// With each quantum the level falls by one part in this many.
    private static let fall = 16

    /// 0...32768: 32768 is full scale.
    public private(set) var level = 0

    public init() {}

    public mutating func take(_ samples: borrowing Span<Int16>) {
        // The least and largest of 16 bits can be found for many samples at once; magnitudes cannot on every processor.
        var (least, largest) = (Int16.zero, Int16.zero)
        for index in samples.indices {
            least = min(least, samples[index])
            largest = max(largest, samples[index])
        }
        level = max(Int(largest), -Int(least), level - (level + Self.fall - 1) / Self.fall)
    }

    /// The stream has stopped.
    public mutating func rest() { level = 0 }
}
