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
