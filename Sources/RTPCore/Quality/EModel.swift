import Base

/// The quality of a call by the E-model of ITU-T G.107 (06/2015). All parameters have their default values, except the
/// known ones of the call: codec, loss and delay.
public struct EModel: Equatable, Sendable {
    /// How a codec impairs the sound. `impairment` is Ie, and `robustness` is Bpl in percent (ITU-T G.113).
    public struct Codec: Equatable, Sendable {
        public let impairment: Double
        public let robustness: Double

        public init(impairment: Double, robustness: Double) {
            self.impairment = impairment
            self.robustness = robustness
        }

        /// G.711 with concealment: G.113 appendix I, table I.4.
        public static let g711 = Codec(impairment: 0, robustness: 25.1)
        /// No values are published for G.722 on the narrow-band scale. It gets those of G.711, because our concealment
        /// is the same.
        public static let g722 = g711
        /// Measured by Alahmadi, Počta and Melvin (ACM TOMM 17(4), 2021). The scale ends at 11 kbit/s, where Ie is 2.0;
        /// it falls by 4 with each kbit/s. Bpl is 16.0 at random loss. Ie is 0 here, because both directions use more
        /// than 12 kbit/s.
        public static let opus = Codec(impairment: 0, robustness: 16)
    }

    /// Ro - Is for the default values: 94.7688 - 1.4136.
    private static let basic = 93.3552
    /// The default values of the noise power at the 0 dBr point and of the receive loudness rating.
    private static let noise = -61.1792
    private static let receiveLoudness = 2.0
    /// The default values of TELR and WEPL, the losses of the talker's and the listener's echo, in dB.
    private static let talkerEchoLoss = 65.0
    private static let listenerEchoLoss = 110.0

    /// The rating R without the effect of delay and with it. Both are 0 to 93.2.
    public let listening: Double
    public let conversational: Double

    /// - Parameters:
    ///   - lossPercent: Packets that were lost or too late, unless forward error correction restored them. 0...100.
    ///   - burstRatio: 1 for random loss, more for bursts.
    ///   - delay: From mouth to ear, one way.
    /// - Returns: Nil for values out of range.
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

    /// The mean opinion score 1...4.5 of a rating, G.107 annex B. Between 0 and 6.5 the cubic falls below 1, the lowest
    /// score, so the score is 1 there.
    public static func score(of rating: Double) -> Double {
        if rating <= 0 { return 1 }
        if rating >= 100 { return 4.5 }
        return max(1, 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating))
    }

    // MARK: Id, G.107 §7.4

    /// The delay is taken to be the same in both directions: T = Ta and Tr = 2 Ta.
    private static func delayImpairment(_ milliseconds: Double) -> Double {
        talkerEcho(milliseconds) + listenerEcho(2 * milliseconds) + absoluteDelay(milliseconds)
    }

    /// Idte, the impairment by talker echo. Two terms are left out, because they vanish after ten milliseconds and no
    /// echo comes earlier.
    private static func talkerEcho(_ milliseconds: Double) -> Double {
        let growth = (1 + milliseconds / 10) / (1 + milliseconds / 150)
        let loudness = talkerEchoLoss - 40 * binaryLogarithm(growth) / binaryLogarithm(10)
        let difference = (-1.5 * (noise - receiveLoudness) - (80 + 2.5 * (loudness - 14))) / 2
        return max(0, difference + (difference * difference + 100).squareRoot() - 1)
    }

    /// Idle, the impairment by listener echo.
    private static func listenerEcho(_ milliseconds: Double) -> Double {
        let echo = 10.5 * (listenerEchoLoss + 7) / (milliseconds + 1).squareRoot().squareRoot()
        let difference = (15 - 1.5 * (8 + noise) - echo) / 2
        return difference + (difference * difference + 169).squareRoot()
    }

    /// Idd, the impairment by absolute delay: 0 up to 100 ms.
    private static func absoluteDelay(_ milliseconds: Double) -> Double {
        guard milliseconds > 100 else { return 0 }
        let doublings = binaryLogarithm(milliseconds / 100)
        return 25 * (rounded(doublings) - 3 * rounded(doublings / 3) + 2)
    }

    /// The sixth root of 1 + x⁶ for x ≥ 0, by Newton's method. It starts with the larger of 1 and x, which is at most a
    /// ninth too small.
    private static func rounded(_ x: Double) -> Double {
        let power = 1 + x * x * x * x * x * x
        var root = max(1, x)
        for _ in 0..<6 { root -= (root - power / (root * root * root * root * root)) / 6 }
        return root
    }

    /// The binary logarithm of a positive number, to twelve digits, by the series of the inverse hyperbolic tangent. It
    /// is computed here because the core modules do not use the C library.
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

/// The delay of the voice from mouth to ear, as far as this end knows it.
public struct MouthToEarDelay: Equatable, Sendable {
    /// The round trip through the network; nil before it was measured.
    public var roundTrip: Duration?
    /// The delay from a microphone into a packet: a period of the device plus the packet's length. The far end's delay
    /// is assumed to be the same.
    public var capture: Duration
    /// The delay in the jitter buffer.
    public var buffer: Duration
    /// The delay after the jitter buffer: the sound that waits in the sound device.
    public var playback: Duration

    public init(roundTrip: Duration?, capture: Duration, buffer: Duration, playback: Duration) {
        self.roundTrip = roundTrip
        self.capture = capture
        self.buffer = buffer
        self.playback = playback
    }

    /// The delay that this end adds to the network's delay, in both directions (RFC 3611 §4.7.3).
    public var endSystem: Duration { capture + buffer + playback }

    /// The delay in one direction. It uses half of the round trip, because one clock alone cannot measure one
    /// direction.
    public var mouthToEar: Duration { (roundTrip ?? .zero) / 2 + endSystem }
}
