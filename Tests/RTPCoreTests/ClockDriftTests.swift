import Base
import RTPCore
import Testing

/// Two clocks that disagree, for half an hour of simulated time.
@Suite struct ClockDriftTests {
    enum Side: Sendable, CaseIterable { case farEnd, device }

    static let rates: [Int64] = [100, 500, 2_000, -100, -500, -2_000]

    @Test(arguments: rates, Side.allCases)
    func thirtyMinutesStayLevel(ppm: Int64, side: Side) {
        var call = CallSimulation()
        switch side {
        case .farEnd: call.driftPPM = ppm
        case .device: call.devicePPM = -ppm
        }
        call.wakeJitter = CallSimulation.millisecond
        let dice = JitterBufferScenarioTests.Dice(seed: 5)
        call.run(milliseconds: 30 * 60_000) { _, sent in [sent + dice.upTo(milliseconds: 2)] }
        // From the first packet on, while the drift is still unknown.
        let (delays, statistics) = (call.delays(), call.statistics)
        let median = delays.sorted()[delays.count / 2]
        let worst = delays.map { abs($0 - median) }.max() ?? .infinity
        print(
            "\(side) \(ppm) ppm for 30 minutes: level within ±\(worst) ms of \(median) ms, drift found",
            "\(statistics.driftPartsPerMillion) ppm")
        #expect(worst <= 3, "5 is the goal")
        #expect(median < 15)
        let counters = statistics.counters
        #expect(counters.lost == 0 && counters.late == 0 && counters.skips == 0)
        #expect(counters.concealedTicks < 480, "all glitches together are shorter than 10 ms")
        #expect(counters.lengthenedTicks + counters.shortenedTicks == 0, "clocks are followed without a cut")
        #expect(abs(statistics.driftPartsPerMillion - Double(ppm)) < 20)
    }

    /// Jitter that hides drift, and path steps that imitate it.
    @Test(arguments: [500, -500] as [Int64], [30, 80] as [Int64])
    func driftIsFoundUnderJitterAndSteps(ppm: Int64, jitter: Int64) {
        var call = CallSimulation()
        call.driftPPM = ppm
        let dice = JitterBufferScenarioTests.Dice(seed: 6)
        call.run(milliseconds: 10 * 60_000) { number, sent in
            let isSlow = number / 3_000 % 2 == 1
            let path: Int64 = isSlow ? 60 * CallSimulation.millisecond : 0
            return [sent + path + dice.upTo(milliseconds: jitter)]
        }
        let statistics = call.statistics
        #expect(abs(statistics.driftPartsPerMillion - Double(ppm)) < 30)
        #expect((statistics.concealedShare ?? 1) < 0.01)
        #expect(statistics.counters.lost == 0)
    }

    @Test func correctionIsNeverAudible() {
        var call = CallSimulation()
        call.driftPPM = 20_000
        call.run(milliseconds: 60_000)
        #expect(abs(call.buffer.correction) <= 0.005)
        #expect(call.statistics.counters.shortenedTicks > 0, "an error that is not the clock's is stretched away")
        #expect(call.delays().allSatisfy { $0 < 60 })
    }
}
