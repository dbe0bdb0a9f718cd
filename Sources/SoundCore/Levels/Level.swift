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

/// Ratios and decibels without a C library. Pure arithmetic: safe on a real-time thread.
public enum Decibels {
    /// The level of silence, where a number is needed. For comparison, one step of 16 bits is -90.3 dBFS.
    public static let floor = -100.0
    /// 0 dBm0 lies this far below a full-scale sine (ITU-T G.711 §7).
    public static let digitalReference = 3.14

    /// The amplitude ratio of a level difference: 10^(dB/20). Levels are limited to ±200 dB.
    public static func gain(_ decibels: Double) -> Double {
        let exponent = min(max(decibels, -200), 200) / (20 * log10of2)
        let whole = exponent.rounded(.down)
        let rest = (exponent - whole) * naturalLogOf2
        var term = 1.0
        var sum = 1.0
        for index in 1...14 {
            term *= rest / Double(index)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// The level of an amplitude ratio: 20·log₁₀, not below `floor`.
    public static func level(_ ratio: Double) -> Double {
        guard ratio > 1e-5, ratio.isFinite else { return floor }
        // ln m = 2·artanh((m-1)/(m+1)) with m in 1..<2 converges as 9⁻ⁿ.
        let part = (ratio.significand - 1) / (ratio.significand + 1)
        let square = part * part
        var power = part
        var logarithm = 0.0
        for index in 0..<14 {
            logarithm += 2 * power / Double(2 * index + 1)
            power *= square
        }
        return 20 * (Double(ratio.exponent) * log10of2 + logarithm / naturalLogOf10)
    }

    /// Peak sample value of a sine of this level in dBm0.
    public static func amplitude(dBm0: Double) -> Double { 32_767 * gain(dBm0 - digitalReference) }

    private static let log10of2 = 0.301_029_995_663_981_2
    private static let naturalLogOf2 = 0.693_147_180_559_945_3
    private static let naturalLogOf10 = 2.302_585_092_994_046
}
