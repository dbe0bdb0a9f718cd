import Base

extension VoIPMetrics {
    /// The metrics of a receiver that has measured all these values. R and the scores come from the E-model and cover
    /// the time since the start.
    ///
    /// - Parameters:
    ///   - packet: The duration of a packet of the source.
    ///   - longestBuffer: The longest delay of the jitter buffer; above it, packets are discarded.
    public init(
        source: UInt32, _ counts: LossPattern.Counts, packet: Duration, codec: EModel.Codec, delay: MouthToEarDelay,
        longestBuffer: Duration
    ) {
        self.init(source: source)
        lossRate = Self.fraction(counts.lostShare)
        discardRate = Self.fraction(counts.discardedShare)
        burstDensity = Self.fraction(counts.burstDensity)
        gapDensity = Self.fraction(counts.gapDensity)
        burstDuration = Self.milliseconds(packet.milliseconds * counts.burstLength)
        gapDuration = Self.milliseconds(packet.milliseconds * counts.gapLength)
        roundTrip = Self.milliseconds(delay.roundTrip?.milliseconds ?? 0)
        endSystemDelay = Self.milliseconds(delay.endSystem.milliseconds)
        concealment = .standard
        adaptation = .adaptive
        nominalBuffer = Self.milliseconds(delay.buffer.milliseconds)
        maximumBuffer = Self.milliseconds(longestBuffer.milliseconds)
        absoluteMaximumBuffer = maximumBuffer
        guard counts.expected > 0 else { return }
        let model = EModel(
            codec: codec, lossPercent: counts.missingShare * 100, burstRatio: counts.burstRatio,
            delay: delay.mouthToEar)
        rating = model.map { UInt8($0.conversational.rounded()) }
        listeningScore = model.map { UInt8(($0.listeningScore * 10).rounded()) }
        conversationalScore = model.map { UInt8(($0.conversationalScore * 10).rounded()) }
    }

    /// A share in 1/256. The whole is 255, the largest value of the octet.
    private static func fraction(_ share: Double) -> UInt8 { UInt8(min(255, share * 256)) }

    private static func milliseconds(_ value: Double) -> UInt16 {
        UInt16(min(max(0, value.rounded()), Double(UInt16.max)))
    }
}
