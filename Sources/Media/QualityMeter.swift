import Base
import RTPCore
import Synchronization

/// A call's quality over the time since it was last asked.
struct QualityMeter: Sendable {
    static let interval = Duration.seconds(5)
    /// Devices and packets, which no report knows: added to the measured delay for the opinion score.
    private static let localDelay = Duration.milliseconds(50)

    private(set) var due: Instant
    private var expected: UInt32 = 0
    private var received: UInt32 = 0
    private var concealed = 0
    private var played = 0
    var roundTrip: Duration?

    init(start: Instant) { due = start + Self.interval }

    mutating func measure(
        _ codec: VoiceCodec, _ statistics: ReceptionStatistics?, _ gauges: CallGauges, at now: Instant
    ) -> QualityFigures {
        due = now + Self.interval
        var figures = QualityFigures()
        let newExpected = statistics?.packetsExpected ?? 0
        let newReceived = statistics?.packetsReceived ?? 0
        let expectedNow = Int64(newExpected &- expected)
        let lost = max(0, expectedNow - Int64(newReceived &- received))
        // A restarted count looks like a huge step: no data this time.
        let isSane = (1..<100_000).contains(expectedNow)
        if isSane { figures.lossPercent = Float(lost) / Float(expectedNow) * 100 }
        (expected, received) = (newExpected, newReceived)
        figures.jitterMilliseconds = statistics.map { Float($0.jitterMilliseconds) }
        figures.roundTripMilliseconds = roundTrip.map { Float($0.milliseconds) }
        figures.concealedPercent = concealedPercent(gauges)
        let buffer = gauges.bufferMicroseconds.load(ordering: .relaxed)
        if buffer >= 0 { figures.bufferMilliseconds = Float(buffer) / 1_000 }
        let delay = Self.localDelay + (roundTrip ?? .zero) / 2 + .microseconds(max(0, buffer))
        let unheard = Double(max(figures.lossPercent ?? 0, figures.concealedPercent ?? 0))
        let score = RTPCore.VoiceQuality(
            codec: codec.robustness, packets: isSane ? Int(expectedNow) : 0, lossPercent: unheard, oneWayDelay: delay)
        figures.opinionScore = score.mos.map(Float.init)
        return figures
    }

    private mutating func concealedPercent(_ gauges: CallGauges) -> Float? {
        let newConcealed = gauges.concealedTicks.load(ordering: .relaxed)
        let newPlayed = gauges.playedTicks.load(ordering: .relaxed)
        defer { (concealed, played) = (newConcealed, newPlayed) }
        guard newPlayed > played else { return nil }
        return min(100, Float(newConcealed - concealed) / Float(newPlayed - played) * 100)
    }
}
