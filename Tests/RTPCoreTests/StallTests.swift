import Base
import Comparison
import RTPCore
import Testing

/// A network or machine that stalls for a moment, and its effects afterwards: none.
@Suite struct StallTests {
    static let ms = CallSimulation.millisecond
    /// Simulated time begins at one second; the stall comes ten seconds later.
    static let start: Int64 = 11_000 * ms

    enum Where: Sendable, CaseIterable { case network, machine }

    /// Packets sent during the stall arrive at its end, all at once.
    static func network(stalledFor milliseconds: Int64) -> CallSimulation.Network {
        let end = start + milliseconds * ms
        return { _, sent in [(start..<end).contains(sent) ? end : sent] }
    }

    @Test(arguments: [150, 170, 200] as [Int64], Where.allCases)
    func delayReturnsWithinSeconds(milliseconds: Int64, place: Where) {
        var call = CallSimulation()
        call.run(milliseconds: 10_000)
        let before = call.delays(after: 9_000).max() ?? 0
        if place == .machine { call.stopDevice(milliseconds: milliseconds, refill: 2) }
        call.run(milliseconds: 20_000, network: Self.network(stalledFor: milliseconds))
        let worst = call.delays().max() ?? 0
        #expect(abs(worst - Double(milliseconds)) < 20)
        #expect(call.delays(after: 12_000).allSatisfy { $0 < before + 10 }, "two seconds later")
        #expect(call.delays(after: 15_000).allSatisfy { $0 < before + 2 }, "five seconds later")
        let statistics = call.statistics
        let counters = statistics.counters
        #expect(statistics.targetMilliseconds == 12, "one stall is no jitter")
        // All of it is heard, and only whole periods of the voice are removed.
        #expect(counters.lost == 0 && counters.late == 0 && counters.skips == 0)
        #expect(Mismatch(call.heard.map(\.number), 0..<call.heard.count) == nil)
        #expect(counters.shortenedTicks > 0 && counters.shortenedTicks % 400 == 0)
        #expect(counters.lengthenedTicks == 0)
        // Concealment covers only the stall itself, and only while a device played.
        let invented = Double(counters.concealedTicks) / 48
        #expect(place == .machine ? invented == 0 : invented <= Double(milliseconds))
        let end = 10_000 + milliseconds + 20
        #expect(call.count({ if case .decode = $0 { false } else { true } }, after: end) == 0)
    }

    /// A packet lost during catch-up is concealed or repaired like any other: only whole periods of the voice are cut
    /// out.
    @Test(arguments: [false, true])
    func lossDuringCatchUpIsFilled(hasCorrection: Bool) {
        var call = CallSimulation { $0.usesForwardCorrection = hasCorrection }
        // Nothing can be stretched, so the delay stays.
        call.pitchPeriod = { _ in 0 }
        call.run(milliseconds: 10_000)
        call.run(milliseconds: 400, network: Self.network(stalledFor: 200))
        let before = call.statistics.counters
        let lost: Set = [527, 533]
        call.run(milliseconds: 600) { number, sent in lost.contains(number) ? [] : [sent] }
        let after = call.statistics.counters
        #expect(after.lost - before.lost == 2)
        #expect(after.recovered - before.recovered == (hasCorrection ? 2 : 0))
        #expect(after.concealedTicks - before.concealedTicks == (hasCorrection ? 0 : 2 * 960))
        #expect(call.longestHole(after: 10_400) < 45)
    }

    /// So many late packets would be jitter, if they were not two stalls.
    @Test func twoStallsAreNoJitter() {
        var call = CallSimulation()
        call.run(milliseconds: 18_000) { _, sent in
            let sinceStart = sent - Self.start
            let sinceStall = sinceStart % (3_000 * Self.ms)
            let isStalled = (0..<6_000 * Self.ms).contains(sinceStart) && sinceStall < 400 * Self.ms
            return [isStalled ? sent - sinceStall + 400 * Self.ms : sent]
        }
        #expect(call.statistics.targetMilliseconds == 12)
        #expect(call.delays(after: 16_000).allSatisfy { $0 < 20 }, "three seconds after the last")
        #expect(call.statistics.counters.lost == 0)
    }

    /// Quick to grow: two seconds after jitter begins nearly nothing is late any more.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func newJitterIsCoveredInTwoSeconds(seed: UInt64) {
        var call = CallSimulation()
        call.run(milliseconds: 10_000)
        let dice = JitterBufferScenarioTests.Dice(seed: seed)
        let jitter: CallSimulation.Network = { _, sent in [sent + dice.upTo(milliseconds: 60)] }
        call.run(milliseconds: 2_000, network: jitter)
        let before = call.statistics.counters
        #expect(call.statistics.targetMilliseconds > 50)
        call.run(milliseconds: 10_000, network: jitter)
        let after = call.statistics.counters
        print(
            "jitter of 60 ms, seed \(seed): target \(call.statistics.targetMilliseconds) ms, invented",
            "\(before.concealedTicks / 48) ms in the first two seconds, then",
            "\((after.concealedTicks - before.concealedTicks) / 48) ms in ten")
        #expect(before.concealedTicks < 48 * 200)
        #expect(after.concealedTicks - before.concealedTicks < 48 * 100, "1 %")
    }
}
