import Base

/// How a call sounds by the E-model of ITU-T G.107 (06/2015), with its default values but for what is known of the call:
/// codec, loss and delay.
public struct EModel: Equatable, Sendable {
    /// How a codec suffers. `impairment` is Ie, `robustness` Bpl in percent (ITU-T G.113).
    public struct Codec: Equatable, Sendable {
        public let impairment: Double
        public let robustness: Double

        public init(impairment: Double, robustness: Double) {
            self.impairment = impairment
            self.robustness = robustness
        }

        /// With concealment: G.113 appendix I, table I.4.
        public static let g711 = Codec(impairment: 0, robustness: 25.1)
        /// On the narrow-band scale, where nobody has published anything for it, it is G.711: our concealment is the same.
        public static let g722 = g711
        /// Measured by Alahmadi, Počta and Melvin (ACM TOMM 17(4), 2021): at 11 kbit/s, the most on this scale, Ie 2.0
        /// and falling by 4 with each kbit/s, and Bpl 16.0 at random loss. We send and are sent more than 12.
        public static let opus = Codec(impairment: 0, robustness: 16)
    }

    /// Ro - Is of all the default values: 94.7688 - 1.4136.
    private static let basic = 93.3552
    /// Noise power at the 0 dBr point, and receive loudness, of the default values.
    private static let noise = -61.1792
    private static let receiveLoudness = 2.0
    /// TELR and WEPL of the default values: the echoes of talker and listener, in dB.
    private static let talkerEchoLoss = 65.0
    private static let listenerEchoLoss = 110.0

    /// R as if there were no delay, and with it: 0 to 93.2.
    public let listening: Double
    public let conversational: Double

    /// - Parameters:
    ///   - lossPercent: Not heard as sent: lost or too late, after forward correction. 0...100.
    ///   - burstRatio: 1 for random loss, more when it comes in bursts.
    ///   - delay: From mouth to ear, one way.
    /// - Returns: nil for figures that no call has.
    public init?(codec: Codec, lossPercent: Double, burstRatio: Double = 1, delay: Duration) {
        guard (0...100).contains(lossPercent), burstRatio >= 1, burstRatio.isFinite, delay >= .zero else { return nil }
        let suffered = lossPercent / (lossPercent / burstRatio + codec.robustness)
        let equipment = codec.impairment + (95 - codec.impairment) * suffered
        func rating(_ impairment: Double) -> Double { max(0, Self.basic - impairment - equipment) }
        listening = rating(Self.delayImpairment(0))
        conversational = rating(Self.delayImpairment(delay.milliseconds))
    }

    public var listeningScore: Double { Self.score(of: listening) }
    public var conversationalScore: Double { Self.score(of: conversational) }

    /// The mean opinion score 1...4.5 of a rating, G.107 annex B. Between 0 and 6.5 the cubic falls below 1, where there
    /// is no opinion.
    public static func score(of rating: Double) -> Double {
        if rating <= 0 { return 1 }
        if rating >= 100 { return 4.5 }
        return max(1, 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating))
    }

    // MARK: Id, G.107 §7.4

    /// Both ends hear each other after the same time: T = Ta and Tr = 2 Ta.
    private static func delayImpairment(_ milliseconds: Double) -> Double {
        talkerEcho(milliseconds) + listenerEcho(2 * milliseconds) + absoluteDelay(milliseconds)
    }

    /// Idte. Two terms of it are left out that are over after ten milliseconds, before which there is no echo.
    private static func talkerEcho(_ milliseconds: Double) -> Double {
        let growth = (1 + milliseconds / 10) / (1 + milliseconds / 150)
        let loudness = talkerEchoLoss - 40 * binaryLogarithm(growth) / binaryLogarithm(10)
        let difference = (-1.5 * (noise - receiveLoudness) - (80 + 2.5 * (loudness - 14))) / 2
        return max(0, difference + (difference * difference + 100).squareRoot() - 1)
    }

    /// Idle.
    private static func listenerEcho(_ milliseconds: Double) -> Double {
        let echo = 10.5 * (listenerEchoLoss + 7) / (milliseconds + 1).squareRoot().squareRoot()
        let difference = (15 - 1.5 * (8 + noise) - echo) / 2
        return difference + (difference * difference + 169).squareRoot()
    }

    /// Idd: nothing up to 100 ms.
    private static func absoluteDelay(_ milliseconds: Double) -> Double {
        guard milliseconds > 100 else { return 0 }
        let doublings = binaryLogarithm(milliseconds / 100)
        return 25 * (rounded(doublings) - 3 * rounded(doublings / 3) + 2)
    }

    /// The sixth root of 1 + x⁶ for x ≥ 0, by Newton from the larger of the two, which is at most a ninth too small.
    private static func rounded(_ x: Double) -> Double {
        let power = 1 + x * x * x * x * x * x
        var root = max(1, x)
        for _ in 0..<6 { root -= (root - power / (root * root * root * root * root)) / 6 }
        return root
    }

    /// Of a positive number, by the series of the inverse hyperbolic tangent: to twelve digits. A core has no C library.
    private static func binaryLogarithm(_ number: Double) -> Double {
        let ratio = (number.significand - 1) / (number.significand + 1)
        var (power, sum) = (ratio, 0.0)
        for odd in stride(from: 1.0, through: 21, by: 2) {
            sum += power / odd
            power *= ratio * ratio
        }
        return Double(number.exponent) + 2 * sum / 0.693_147_180_559_945_3
    }
}
