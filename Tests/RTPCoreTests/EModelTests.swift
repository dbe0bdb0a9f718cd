import Base
import RTPCore
import Testing

@Suite struct EModelTests {
    static func model(
        loss: Double = 0, delay: Double = 0, codec: EModel.Codec = .g711, burst: Double = 1
    ) throws -> EModel {
        try #require(
            EModel(codec: codec, lossPercent: loss, burstRatio: burst, delay: .nanoseconds(Int64(delay * 1e6))))
    }

    /// G.107's own: with every default R is 93.2, and that is a score of 4.41.
    @Test func defaultsMatchRecommendation() throws {
        let best = try Self.model()
        #expect(abs(best.conversational - 93.2) < 0.05 && abs(best.conversationalScore - 4.41) < 0.005)
        #expect(best.listening == best.conversational)
    }

    /// G.107, table B.1: the lower limits of R for "best", "high", "medium", "low" and "poor".
    @Test(arguments: [(90.0, 4.34), (80, 4.03), (70, 3.60), (60, 3.10), (50, 2.58), (100, 4.5), (0, 1)])
    func ratingsGiveScores(rating: Double, score: Double) { #expect(abs(EModel.score(of: rating) - score) < 0.01) }

    /// G.107 §7.4, computed apart from the code with a C library's logarithms, and with TELR 65 dB, WEPL 110 dB.
    @Test(arguments: [
        (50.0, 91.756), (100, 90.664), (150, 89.539), (177.3, 88.052), (200, 85.805), (250, 79.177), (300, 72.666),
        (400, 62.247), (500, 54.803), (1_000, 39.077),
    ])
    func delaysGiveRatings(milliseconds: Double, rating: Double) throws {
        let model = try Self.model(delay: milliseconds)
        #expect(abs(model.conversational - rating) < 0.01)
        #expect(abs(model.listening - 93.206) < 0.01, "a listener does not notice")
    }

    /// G.107 §7.5 by hand: (95 - Ie) Ppl / (Ppl / BurstR + Bpl) with G.113's Ie 0 and Bpl 25.1, and 4.3 without
    /// concealment.
    @Test(arguments: [
        (1.0, 25.1, 1.0, 3.640), (5, 25.1, 1, 15.781), (10, 25.1, 1, 27.066), (5, 25.1, 2, 17.210), (1, 4.3, 1, 17.925),
        (100, 25.1, 1, 75.939),
    ])
    func lossAndBurstsLowerRating(loss: Double, robustness: Double, burst: Double, impairment: Double) throws {
        let codec = EModel.Codec(impairment: 0, robustness: robustness)
        let model = try Self.model(loss: loss, codec: codec, burst: burst)
        #expect(abs(93.206 - model.conversational - impairment) < 0.01)
    }

    @Test func worseInputNeverImprovesScore() throws {
        for codec in [EModel.Codec.g711, .g722, .opus] {
            let byLoss = try (0...100).map { try Self.model(loss: Double($0), codec: codec).conversationalScore }
            let byDelay = try (0...200).map { try Self.model(delay: Double($0) * 10, codec: codec).conversationalScore }
            #expect(zip(byLoss, byLoss.dropFirst()).allSatisfy { $0 >= $1 })
            #expect(zip(byDelay, byDelay.dropFirst()).allSatisfy { $0 >= $1 })
            #expect((byLoss + byDelay).allSatisfy { (1...4.5).contains($0) })
            #expect(try Self.model(loss: 5, codec: codec, burst: 4).conversationalScore < byLoss[5])
        }
        let fragile = EModel.Codec(impairment: 11, robustness: 19)
        #expect(try abs(Self.model(codec: fragile).conversational - 82.2) < 0.05)
    }

    @Test(arguments: [(-1.0, 1.0, 0.0), (101, 1, 0), (.nan, 1, 0), (5, 0.5, 0), (5, .infinity, 0), (5, 1, -1)])
    func invalidInputHasNoScore(loss: Double, burst: Double, delay: Double) {
        let model = EModel(
            codec: .opus, lossPercent: loss, burstRatio: burst, delay: .nanoseconds(Int64(delay * 1e6)))
        #expect(model == nil)
    }

    static let delay = MouthToEarDelay(
        roundTrip: .milliseconds(40), capture: .milliseconds(30), buffer: .milliseconds(25), playback: .milliseconds(15)
    )

    @Test func delaysAddUp() {
        #expect(Self.delay.endSystem == .milliseconds(70) && Self.delay.mouthToEar == .milliseconds(90))
        var early = Self.delay
        early.roundTrip = nil
        #expect(early.mouthToEar == .milliseconds(70))
    }

    /// The trace of `LossPatternTests`, of packets of 20 ms: 6 of 132 missing, 2 of them discarded.
    @Test func traceGivesMetrics() {
        var pattern = LossPatternTests.pattern(LossPatternTests.trace)
        for _ in 0..<2 { pattern.discard() }
        let metrics = VoIPMetrics(
            source: 7, pattern.counts, packet: .milliseconds(20), codec: .g711, delay: Self.delay,
            longestBuffer: .milliseconds(500))
        #expect(metrics.source == 7 && metrics.gapThreshold == 16)
        #expect(metrics.lossRate == 7 && metrics.discardRate == 3)  // 256 times 4 and 2, by 132
        #expect(metrics.burstDensity == 60 && metrics.gapDensity == 2)  // 256 times 5 by 21, and 1 by 111
        #expect(metrics.burstDuration == 210 && metrics.gapDuration == 740)
        #expect(metrics.roundTrip == 40 && metrics.endSystemDelay == 70)
        #expect(metrics.nominalBuffer == 25 && metrics.maximumBuffer == 500 && metrics.absoluteMaximumBuffer == 500)
        // Ie,eff = 95 · 4.545 / (4.545 / 1.1455 + 25.1) = 14.86, and Id 2.50 at 90 ms.
        #expect(metrics.rating == 76 && metrics.listeningScore == 40 && metrics.conversationalScore == 39)
    }

    @Test func unheardStreamHasNoScore() {
        let metrics = VoIPMetrics(
            source: 7, LossPattern.Counts(), packet: .milliseconds(20), codec: .opus, delay: Self.delay,
            longestBuffer: .seconds(200))
        #expect(metrics.rating == nil && metrics.conversationalScore == nil && metrics.lossRate == 0)
        #expect(metrics.absoluteMaximumBuffer == .max)
    }
}
