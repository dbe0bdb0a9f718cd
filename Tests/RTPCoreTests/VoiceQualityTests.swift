import RTPCore
import Testing

@Suite struct VoiceQualityTests {
    static func mos(loss: Double, delay: Duration, codec: VoiceQuality.Codec = .g711, burst: Double = 1) -> Double? {
        VoiceQuality(codec: codec, packets: 100, lossPercent: loss, burstRatio: burst, oneWayDelay: delay).mos
    }

    /// Worked out separately from R = 93.2 - Id - Ie,eff and the cubic of G.107 annex B.
    @Test(arguments: [
        (0.0, Duration.zero, 4.409), (0, .milliseconds(100), 4.358), (0, .milliseconds(300), 3.712),
        (5, .milliseconds(0), 3.923), (20, .milliseconds(0), 2.631),
    ])
    func values(loss: Double, delay: Duration, expected: Double) throws {
        let mos = try #require(Self.mos(loss: loss, delay: delay))
        #expect(abs(mos - expected) < 0.001)
    }

    @Test func worseIsNeverBetter() throws {
        let byLoss = try (0...100).map { try #require(Self.mos(loss: Double($0), delay: .zero)) }
        let byDelay = try (0...100).map { try #require(Self.mos(loss: 0, delay: .milliseconds($0 * 20))) }
        #expect(zip(byLoss, byLoss.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(zip(byDelay, byDelay.dropFirst()).allSatisfy { $0 >= $1 })
        #expect((byLoss + byDelay).allSatisfy { (1...4.5).contains($0) })
        let burst = try #require(Self.mos(loss: 5, delay: .zero, burst: 4))
        #expect(burst < byLoss[5])
        let fragile = try #require(
            Self.mos(loss: 5, delay: .zero, codec: VoiceQuality.Codec(impairment: 0, robustness: 4.3)))
        #expect(fragile < byLoss[5])
    }

    @Test func unknownWithoutData() {
        let none = VoiceQuality(codec: .opus, packets: 0, lossPercent: 0, oneWayDelay: .zero)
        let notANumber = VoiceQuality(codec: .opus, packets: 9, lossPercent: .nan, oneWayDelay: .zero)
        let negative = VoiceQuality(codec: .opus, packets: 9, lossPercent: 0, oneWayDelay: .milliseconds(-1))
        #expect([none, notANumber, negative] == [.unknown, .unknown, .unknown])
        #expect(none.rating == .unknown)
    }

    @Test(arguments: [
        (0.0, VoiceQuality.Rating.good), (4, .good), (6, .fair), (9, .fair), (12, .poor), (100, .poor),
    ])
    func ratings(loss: Double, expected: VoiceQuality.Rating) {
        let quality = VoiceQuality(codec: .g711, packets: 1, lossPercent: loss, oneWayDelay: .zero)
        #expect(quality.rating == expected, "\(String(describing: quality.mos))")
    }
}
