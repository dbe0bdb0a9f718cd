import Base
import Comparison
import RTPCore
import Testing

/// A minute of speech over a network, in simulated time. Delays are mouth to ear without codecs.
@Suite struct JitterBufferScenarioTests {
    static let ms = CallSimulation.millisecond

    /// Random arrival offsets and losses from a seed.
    final class Dice {
        private var random: SeededGenerator
        init(seed: UInt64) { random = SeededGenerator(seed: seed) }
        func upTo(milliseconds: Int64) -> Int64 { Int64(random.next() % UInt64(milliseconds * 1_000_000)) }
        func hits(percent: UInt64) -> Bool { random.next() % 100 < percent }
    }

    @Test(arguments: SequenceTests.starts, [0, UInt32.max - 500])
    func cleanNetworkAddsLessThanOnePacket(sequence: UInt16, timestamp: UInt32) {
        var call = CallSimulation()
        call.firstSequence = sequence
        call.firstTimestamp = timestamp
        call.run(milliseconds: 60_000)
        let (delays, counters) = (call.delays(), call.statistics.counters)
        #expect(delays.count >= 2_998)
        #expect(delays.allSatisfy { $0 < 15 })
        #expect(counters.lost == 0 && counters.late == 0 && counters.concealedTicks == 0 && counters.skips == 0)
        #expect(counters.lengthenedTicks == 0 && counters.shortenedTicks == 0)
        #expect(Mismatch(call.heard.map(\.number), 0..<call.heard.count) == nil)
        #expect(call.statistics.targetMilliseconds == 12)
    }

    @Test(arguments: [10, 20, 40, 60], [5, 10, 20] as [Int64])
    func everyPacketLengthAndPeriodWorks(packet: Int, period: Int64) {
        var call = CallSimulation()
        call.packetMilliseconds = { _ in packet }
        call.period = period * Self.ms
        call.run(milliseconds: 20_000)
        let (delays, counters) = (call.delays(), call.statistics.counters)
        #expect(delays.allSatisfy { $0 < Double(5 + period) })
        #expect(counters.lost == 0 && counters.concealedTicks == 0)
    }

    /// A card that takes so many quanta of 10 ms at one moment, wherever packets fall in between.
    @Test(arguments: [2, 5, 10], 0..<10)
    func deviceBurstIsAvailable(quanta: Int, shift: Int) {
        var call = CallSimulation()
        call.quantaAtOnce = quanta
        call.driftPPM = 100
        call.wakeJitter = 2 * Self.ms
        call.stopDevice(milliseconds: Int64(shift * 2), refill: 0)
        let dice = Dice(seed: UInt64(shift + 1))
        let network: CallSimulation.Network = { _, sent in [sent + dice.upTo(milliseconds: 6)] }
        call.run(milliseconds: 2_000, network: network)
        let before = call.statistics.counters
        call.run(milliseconds: 58_000, network: network)
        let counters = call.statistics.counters
        #expect(counters.lost == 0 && counters.late == 0)
        #expect(counters.concealedTicks - before.concealedTicks == 0)
        #expect(call.delays(after: 2_000).allSatisfy { $0 < Double(quanta * 10 + 25) })
    }

    @Test func packetLengthMayChangeInStream() {
        var call = CallSimulation()
        call.packetMilliseconds = { [10, 20, 40, 60][$0 / 100 % 4] }
        call.run(milliseconds: 30_000)
        let counters = call.statistics.counters
        #expect(counters.lost == 0 && counters.concealedTicks == 0)
        #expect(Mismatch(call.heard.map(\.number), 0..<call.heard.count) == nil)
    }

    /// The figure of the media goals: the delay that the buffer adds, compared with the trace's own need.
    @Test(arguments: [1, 2, 3] as [UInt64], [5, 10] as [Int64])
    func targetCoversJitter(seed: UInt64, period: Int64) {
        var call = CallSimulation()
        call.period = period * Self.ms
        let dice = Dice(seed: seed)
        var trace: [Double] = []
        // 20 ± 40 ms, cut off at zero.
        call.run(milliseconds: 60_000) { _, sent in
            let lateness = max(0, dice.upTo(milliseconds: 80) - 20 * Self.ms)
            trace.append(Double(lateness) / Double(Self.ms))
            return [sent + lateness]
        }
        let (delays, statistics) = (call.delays(after: 5_000), call.statistics)
        let jitter = trace.sorted()[trace.count * 97 / 100]
        let mean = delays.reduce(0, +) / Double(delays.count)
        let counters = statistics.counters
        print(
            "20 ± 40 ms, periods of \(period) ms: \(mean) ms added, 97th percentile \(jitter) ms, late or lost",
            "\(counters.lost + counters.late) of \(trace.count), concealed \(statistics.concealedShare ?? 1)")
        #expect(mean <= 1.2 * jitter)
        #expect(Double(counters.lost + counters.late) < 0.03 * 3_000)
        #expect(delays.allSatisfy { $0 < 90 })
        #expect((statistics.concealedShare ?? 1) < 0.02)
    }

    /// Wherever between two packets the device asks: a single wait of 10 ms is audible, and costs a voice 0.2 of its
    /// PESQ.
    @Test(arguments: [1, 2] as [UInt64], Array(0..<10) as [Int64])
    func knownJitterIsHardlyHeard(seed: UInt64, offset: Int64) {
        var call = CallSimulation()
        let dice = Dice(seed: seed)
        let network: CallSimulation.Network = { _, sent in
            [sent + offset * Self.ms + max(0, dice.upTo(milliseconds: 80) - 20 * Self.ms)]
        }
        call.run(milliseconds: 10_000, network: network)
        let before = call.statistics.counters.concealedTicks
        call.run(milliseconds: 50_000, network: network)
        let milliseconds = (call.statistics.counters.concealedTicks - before) / 48
        print("20 ± 40 ms, \(offset) ms later: \(milliseconds) ms invented in 50 s")
        #expect(milliseconds <= 150)
    }

    @Test func endedJitterIsForgotten() {
        var call = CallSimulation()
        let dice = Dice(seed: 4)
        call.run(milliseconds: 20_000) { _, sent in [sent + dice.upTo(milliseconds: 80)] }
        #expect(call.statistics.targetMilliseconds > 60)
        call.run(milliseconds: 40_000)
        let delays = call.delays(after: 58_000)
        #expect(delays.allSatisfy { $0 < 27 })
        #expect(call.statistics.counters.shortenedTicks > 0 && call.statistics.counters.skips == 0)
    }

    @Test(arguments: [5, 10, 20] as [UInt64], [false, true])
    func lossIsConcealedOrRepaired(percent: UInt64, hasCorrection: Bool) {
        var call = CallSimulation { $0.usesForwardCorrection = hasCorrection }
        let dice = Dice(seed: percent)
        call.run(milliseconds: 60_000) { _, sent in
            dice.hits(percent: percent) ? [] : [sent + dice.upTo(milliseconds: 1)]
        }
        let (delays, counters) = (call.delays(after: 5_000), call.statistics.counters)
        let lost = Double(counters.lost)
        #expect(abs(lost - Double(percent) * 30) < Double(percent) * 6 + 20)
        #expect(counters.late == 0)
        // The concealed, repaired and stretched sound equals the lost sound, no more.
        let stretched = Double(counters.lengthenedTicks - counters.shortenedTicks) / 960
        let filled = Double(counters.concealedTicks) / 960 + Double(counters.recovered)
        #expect(abs(filled + stretched - lost) < 4)
        #expect(filled <= lost + 1)
        #expect(delays.allSatisfy { $0 < (hasCorrection ? 40 : 20) })
        // A loss can be repaired when the next packet survives.
        let repairable = lost * (1 - Double(percent) / 100)
        #expect(hasCorrection ? Double(counters.recovered) > 0.8 * repairable : counters.recovered == 0)
    }

    @Test func burstsOfLossAreConcealed() {
        var call = CallSimulation()
        call.run(milliseconds: 60_000) { number, sent in number % 250 < 5 ? [] : [sent] }
        let (delays, counters) = (call.delays(), call.statistics.counters)
        #expect((55...60).contains(counters.lost))
        #expect(delays.allSatisfy { $0 < 20 })
    }

    @Test func reorderingIsSorted() {
        var call = CallSimulation()
        call.run(milliseconds: 60_000) { number, sent in [number % 10 == 0 ? sent + 25 * Self.ms : sent] }
        let counters = call.statistics.counters
        #expect(counters.lost + counters.late <= 2)
        #expect(zip(call.heard.map(\.number), call.heard.map(\.number).dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func duplicatesAreDropped() {
        var call = CallSimulation()
        call.run(milliseconds: 20_000) { number, sent in [sent, sent + 1, sent + Int64(number % 5) * 30 * Self.ms + 2] }
        let counters = call.statistics.counters
        #expect(counters.duplicates > 1_990 && counters.late == 0 && counters.lost == 0)
        #expect(Mismatch(call.heard.map(\.number), 0..<call.heard.count) == nil)
    }

    @Test func pathStepIsFollowedBothWays() {
        var call = CallSimulation()
        call.run(milliseconds: 20_000)
        call.run(milliseconds: 30_000) { _, sent in [sent + 300 * Self.ms] }
        let slow = call.delays(after: 45_000)
        #expect(slow.allSatisfy { (300..<330).contains($0) })
        #expect(call.statistics.counters.lost == 0)
        call.run(milliseconds: 30_000)
        let fast = call.delays(after: 75_000)
        #expect(fast.allSatisfy { $0 < 30 })
    }

    @Test func stallLosesNothingAndIsCaughtUp() {
        var call = CallSimulation()
        let second = 1_000 * Self.ms
        call.run(milliseconds: 20_000) { _, sent in
            [sent > 11 * second && sent < 11 * second + 300 * Self.ms ? 11 * second + 300 * Self.ms : sent]
        }
        let (numbers, delays) = (call.heard.map(\.number), call.delays(after: 18_000))
        #expect(numbers.count >= 997 && call.statistics.counters.skips == 0)
        #expect(call.delays(after: 13_000).allSatisfy { $0 < 25 })
        #expect(delays.allSatisfy { $0 < 15 })
        #expect(call.statistics.targetMilliseconds == 12, "one stall is no jitter")
    }

    @Test func irregularDeviceThreadDoesNotMoveDelay() {
        var call = CallSimulation()
        call.wakeJitter = 4 * Self.ms
        call.run(milliseconds: 60_000)
        let counters = call.statistics.counters
        #expect(counters.concealedTicks == 0 && counters.lengthenedTicks == 0 && counters.shortenedTicks == 0)
    }

    @Test func soundReturnsAtOnceAfterOutage() {
        var call = CallSimulation()
        let second = 1_000 * Self.ms
        call.run(milliseconds: 20_000) { _, sent in sent > 6 * second && sent < 16 * second ? [] : [sent] }
        let (delays, counters) = (call.delays(after: 15_000), call.statistics.counters)
        #expect(delays.allSatisfy { $0 < 16 } && delays.count > 245)
        #expect((495...505).contains(counters.lost))
        #expect((180...220).contains(counters.concealedTicks / 48))
        #expect(counters.restarts == 0)
    }

    struct Jump: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var sequence: UInt16?
        var ticks: Int64 = 0
        var source: UInt32?
    }

    @Test(arguments: [
        Jump(testDescription: "timestamp ahead", ticks: 48_000 * 60),
        Jump(testDescription: "timestamp back", ticks: -48_000 * 60),
        Jump(testDescription: "half a round", ticks: 1 << 31), Jump(testDescription: "sequence", sequence: 40_000),
        Jump(testDescription: "source", source: 8),
        Jump(testDescription: "all of it", sequence: 3, ticks: 1 << 30, source: 8),
    ])
    func newStreamCostsOnePacket(_ jump: Jump) {
        var call = CallSimulation()
        call.run(milliseconds: 5_000)
        call.jump(sequence: jump.sequence, ticks: jump.ticks, source: jump.source)
        call.run(milliseconds: 5_000)
        let (delays, counters) = (call.delays(), call.statistics.counters)
        #expect(counters.restarts == 1 && counters.strangers == 1)
        #expect(call.heard.count >= 498)
        #expect(delays.allSatisfy { $0 < 15 })
        #expect(counters.concealedTicks <= 48 * 50)
    }

    enum Silence: CaseIterable, Sendable {
        case hold, shortHold, discontinuous, betweenWords

        /// The sender says something at this time.
        func talks(at sent: Int64) -> Bool {
            let time: Int64 = sent / JitterBufferScenarioTests.ms
            switch self {
            case .hold: return time < 6_000 || time > 16_000
            case .shortHold: return time < 6_000 || time > 6_400
            case .discontinuous: return time % 4_000 < 2_000 || time % 400 < 20
            case .betweenWords: return time % 700 > 100
            }
        }
    }

    /// A far end that sends nothing, for whatever reason, causes no missing sound.
    @Test(arguments: Silence.allCases)
    func silenceOfTheSenderIsNoConcealment(_ silence: Silence) {
        var call = CallSimulation()
        call.isTalking = silence.talks
        call.run(milliseconds: 30_000)
        let counters = call.statistics.counters
        #expect(counters.received > 500)
        #expect(counters.concealedTicks == 0 && counters.lost == 0)
        #expect(call.delays().allSatisfy { $0 < 16 })
    }
}
