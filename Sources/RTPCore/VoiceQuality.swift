import Base

/// How a call sounds, estimated by the E-model as ITU-T G.107 simplifies for packet voice.
public struct VoiceQuality: Equatable, Sendable {
    /// Thresholds of what a person is told.
    public enum Rating: Equatable, Sendable {
        case good, fair, poor, unknown
    }

    /// How a codec suffers from loss. `impairment` is Ie, `robustness` Bpl (ITU-T G.113 appendix I).
    public struct Codec: Equatable, Sendable {
        public let impairment: Double
        public let robustness: Double

        public init(impairment: Double, robustness: Double) {
            self.impairment = impairment
            self.robustness = robustness
        }

        /// G.711 with packet loss concealment.
        public static let g711 = Codec(impairment: 0, robustness: 25.1)
        /// Without published narrow-band figures for G.722 and Opus, theirs are those of G.711 with concealment.
        public static let g722 = g711
        public static let opus = g711
    }

    public static let goodThreshold = 4.0
    public static let fairThreshold = 3.5

    /// Mean opinion score, 1...4.5; nil without data.
    public let mos: Double?

    public var rating: Rating {
        guard let mos else { return .unknown }
        if mos >= Self.goodThreshold { return .good }
        return mos >= Self.fairThreshold ? .fair : .poor
    }

    public static let unknown = VoiceQuality(mos: nil)

    private init(mos: Double?) { self.mos = mos }

    /// - Parameters:
    ///   - packets: Packets expected in the measured time. None means that there is nothing to judge.
    ///   - lossPercent: Not heard as sent: lost or too late, after forward correction. 0...100.
    ///   - burstRatio: 1 for random loss, more when it comes in bursts.
    ///   - oneWayDelay: Mouth to ear, as far as it is known.
    public init(
        codec: Codec, packets: Int, lossPercent: Double, burstRatio: Double = 1, oneWayDelay: Duration
    ) {
        let delay = oneWayDelay.milliseconds
        guard packets > 0, (0...100).contains(lossPercent), burstRatio >= 1, burstRatio.isFinite, delay >= 0 else {
            self = .unknown
            return
        }
        let loss = lossPercent / (lossPercent / burstRatio + codec.robustness)
        let equipment = codec.impairment + (95 - codec.impairment) * loss
        let factor = 93.2 - Self.delayImpairment(delay) - equipment
        self.init(mos: Self.opinion(factor))
    }

    /// Id by Cole and Rosenbluth's fit to G.107: mild up to 177.3 ms, steep above.
    private static func delayImpairment(_ milliseconds: Double) -> Double {
        0.024 * milliseconds + 0.11 * max(0, milliseconds - 177.3)
    }

    /// G.107 annex B. Between 0 and 6.5 the cubic falls below 1, where there is no opinion.
    private static func opinion(_ factor: Double) -> Double {
        if factor <= 0 { return 1 }
        if factor >= 100 { return 4.5 }
        return max(1, 1 + 0.035 * factor + 7e-6 * factor * (factor - 60) * (100 - factor))
    }
}
