import Base
import RTPCore
import Synchronization

/// Measures a call's quality over the time since the last measurement.
struct QualityMeter: Sendable {
    static let interval = Duration.seconds(5)

    private(set) var due: Instant
    private var expected: UInt32 = 0
    private var received: UInt32 = 0
    private var concealed = 0
    private var played = 0
    private var pattern = LossPattern.Counts()
    /// The round-trip time of the newest report that contains one.
    var roundTrip: Duration?

    init(start: Instant) { due = start + Self.interval }

    mutating func measure(
        _ codec: VoiceCodec, _ statistics: ReceptionStatistics?, _ gauges: CallGauges, _ delay: MouthToEarDelay,
        at now: Instant
    ) -> QualityFigures {
        due = now + Self.interval
        var figures = QualityFigures()
        let newExpected = statistics?.packetsExpected ?? 0
        let newReceived = statistics?.packetsReceived ?? 0
        let expectedNow = Int64(newExpected &- expected)
        let lost = max(0, expectedNow - Int64(newReceived &- received))
        // A restarted count looks like a huge step, so this measurement has no data.
        let isSane = (1..<100_000).contains(expectedNow)
        if isSane { figures.lossPercent = Float(lost) / Float(expectedNow) * 100 }
        (expected, received) = (newExpected, newReceived)
        figures.jitterMilliseconds = statistics.map { Float($0.jitterMilliseconds) }
        figures.roundTripMilliseconds = roundTrip.map { Float($0.milliseconds) }
        figures.concealedPercent = concealedPercent(gauges)
        if gauges.bufferMicroseconds.load(ordering: .relaxed) >= 0 {
            figures.bufferMilliseconds = Float(delay.buffer.milliseconds)
        }
        let missing = missing(gauges)
        if isSane {
            figures.opinionScore = Self.score(codec, missing, figures, delay)
        }
        return figures
    }

    /// The score depends on the loss that the listener hears; repaired loss does not count. If no packet is played, it
    /// depends on the packets that did not arrive.
    private static func score(
        _ codec: VoiceCodec, _ missing: LossPattern.Counts, _ figures: QualityFigures, _ delay: MouthToEarDelay
    ) -> Float? {
        let unheard =
            missing.expected > 0
            ? max(missing.missingShare * 100, Double(figures.concealedPercent ?? 0))
            : Double(figures.lossPercent ?? 0)
        let model = EModel(
            codec: codec.robustness, lossPercent: unheard, burstRatio: missing.burstRatio, delay: delay.mouthToEar)
        return model.map { Float($0.conversationalScore) }
    }

    private mutating func missing(_ gauges: CallGauges) -> LossPattern.Counts {
        let now = gauges.pattern.load()
        defer { pattern = now }
        return now.since(pattern)
    }

    private mutating func concealedPercent(_ gauges: CallGauges) -> Float? {
        let newConcealed = gauges.concealedTicks.load(ordering: .relaxed)
        let newPlayed = gauges.playedTicks.load(ordering: .relaxed)
        defer { (concealed, played) = (newConcealed, newPlayed) }
        guard newPlayed > played else { return nil }
        return min(100, Float(newConcealed - concealed) / Float(newPlayed - played) * 100)
    }
}
