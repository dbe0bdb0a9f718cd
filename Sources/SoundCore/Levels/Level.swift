/// How loud a run of samples is. A full-scale sine has a peak of 0 and an RMS of -3.01 dBFS.
public struct Level: Equatable, Sendable {
    /// dBFS, `Decibels.floor`...0.
    public let peak: Double
    /// dBFS, `Decibels.floor`...0.
    public let rms: Double

    /// Below this RMS, an added or removed frame is not noticed.
    public static let quiet = -45.0

    /// Cost: O(count), no allocation; safe on a real-time thread.
    public init(of samples: Span<Int16>) {
        var largest: Int32 = 0
        var squares: Int64 = 0
        for place in samples.indices {
            let value = Int32(samples[place])
            largest = max(largest, abs(value))
            squares += Int64(value * value)
        }
        peak = Decibels.level(Double(largest) / 32_768)
        let mean = Double(squares) / Double(max(1, samples.count))
        rms = Decibels.level(mean.squareRoot() / 32_768)
    }

    public var isQuiet: Bool { rms < Self.quiet }
}
