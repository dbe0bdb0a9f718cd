import Base
import RTPCore
import Testing

/// One packet at a time, with times worked out by hand.
@Suite struct JitterBufferDecisionTests {
    struct Bench: ~Copyable {
        var buffer: JitterBuffer
        var payload: [UInt8] = []

        init(correction: Bool = false, _ change: (inout JitterBuffer.Configuration) -> Void = { _ in }) {
            var configuration = JitterBuffer.Configuration(clockRate: 48_000)
            configuration.usesForwardCorrection = correction
            change(&configuration)
            buffer = JitterBuffer(configuration)
        }

        /// Packet `number` of 20 ms, received at `at` milliseconds. Its payload is its number.
        mutating func insert(_ number: Int, at: Int64, source: UInt32 = 1, gap: UInt32 = 0) -> JitterBuffer.Insertion {
            let header = RTPHeader(
                payloadType: 96, sequence: UInt16(number), timestamp: UInt32(number) * 960 + gap, source: source)
            let bytes = [UInt8(number)]
            return buffer.insert(header, ticks: 960, payload: bytes.span, at: .zero + .milliseconds(at))
        }

        var expectsLatePackets: Bool { buffer.expectsLatePackets }

        mutating func take(at: Int64) -> JitterBuffer.Decision {
            let decision = buffer.take(480, of: 480, at: .zero + .milliseconds(at))
            switch decision {
            case .decode(let frame), .recover(let frame):
                let bytes = buffer.payload(of: frame)
                payload = bytes.indices.map { bytes[$0] }
            case .conceal, .silence: break
            }
            return decision
        }
    }

    static func isDecode(_ decision: JitterBuffer.Decision) -> Bool {
        if case .decode = decision { true } else { false }
    }

    @Test func emptyBufferIsSilence() {
        var bench = Bench()
        let decision = bench.take(at: 5)
        #expect(decision == .silence(ticks: 480))
    }

    @Test func firstPacketWaitsForTarget() {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        let early = bench.take(at: 101)
        let nearly = bench.take(at: 111)
        let due = bench.take(at: 112)
        #expect(early == .silence(ticks: 480), "a quantum of 10 ms and a bin of 2 ms")
        #expect(nearly == .silence(ticks: 48), "no longer than it takes")
        guard case .decode(let frame) = due else {
            Issue.record("not decoded: \(due)")
            return
        }
        #expect(frame.payloadType == 96 && frame.ticks == 960 && frame.count == 1)
    }

    /// Packets from 0 on, each of which is played when due: 112 ms after its nominal time.
    private static func playing(to last: Int) -> Bench {
        var bench = Bench()
        for number in 0...last {
            _ = bench.insert(number, at: Int64(100 + 20 * number))
            _ = bench.take(at: Int64(112 + 20 * number))
        }
        return bench
    }

    @Test func lateSenderIsExpectedToBeLateAgain() {
        var bench = Self.playing(to: 4)
        var expects = bench.expectsLatePackets
        #expect(!expects)
        // Packet 5 was due at 212 ms, and is here at 215.
        let waits = bench.take(at: 212)
        bench.buffer.invented(480, at: .zero + .milliseconds(212))
        _ = bench.insert(5, at: 215)
        let plays = bench.take(at: 222)
        #expect(waits == .conceal(ticks: 480) && Self.isDecode(plays))
        expects = bench.expectsLatePackets
        #expect(expects)
    }

    @Test func twoLostPacketsOutweighOneLatePacket() {
        var packets = LatePackets()
        packets.cameLate()
        packets.wasLost()
        #expect(packets.areExpected)
        packets.wasLost()
        #expect(!packets.areExpected)
        packets.wasLost()
        packets.cameLate()
        #expect(packets.areExpected, "old losses do not count")
        for _ in 0..<100 { packets.cameLate() }
        for _ in 0..<4 { packets.wasLost() }
        #expect(!packets.areExpected, "old late packets do not count")
    }

    @Test func missingPacketIsNotExpected() {
        var bench = Self.playing(to: 4)
        _ = bench.take(at: 212)
        bench.buffer.invented(480, at: .zero + .milliseconds(212))
        _ = bench.insert(6, at: 220)
        _ = bench.take(at: 222)
        var expects = bench.expectsLatePackets
        #expect(!expects)
        // It arrives after all: it was overtaken.
        _ = bench.insert(5, at: 223)
        expects = bench.expectsLatePackets
        #expect(expects)
    }

    @Test func latePacketIsPlayedIfNothingFollowedIt() {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        _ = bench.take(at: 112)
        let waiting = bench.take(at: 132)
        let inserted = bench.insert(1, at: 140)
        let played = bench.take(at: 142)
        #expect(waiting == .conceal(ticks: 480) && inserted == .stored && Self.isDecode(played))
        #expect(bench.payload[0] == 1)
        let statistics = bench.buffer.statistics
        #expect(statistics.counters.lost == 0 && statistics.counters.concealedTicks == 480)
        #expect(statistics.delayMilliseconds == 22)
    }

    @Test func lostPacketIsSkippedAtItsDeadline() {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        _ = bench.take(at: 112)
        let first = bench.take(at: 132)
        let second = bench.take(at: 142)
        // It arrived in between; 140 would be as fast as the first.
        _ = bench.insert(2, at: 141)
        let third = bench.take(at: 152)
        #expect(first == .conceal(ticks: 480) && second == .conceal(ticks: 480) && Self.isDecode(third))
        #expect(bench.payload[0] == 2)
        let late = bench.insert(1, at: 154)
        let again = bench.insert(1, at: 155)
        #expect(late == .late && again == .duplicate)
        #expect(bench.buffer.statistics.counters.lost == 0 && bench.buffer.statistics.counters.late == 1)
    }

    @Test(arguments: [true, false])
    func gapBeforeWaitingPacketIsFilled(correction: Bool) {
        var bench = Bench(correction: correction) { $0.minimumDelay = .milliseconds(30) }
        _ = bench.insert(0, at: 100)
        _ = bench.insert(2, at: 140)
        let first = bench.take(at: 130)
        #expect(Self.isDecode(first))
        let filled = bench.take(at: 150)
        if correction {
            guard case .recover(let frame) = filled else {
                Issue.record("not recovered: \(filled)")
                return
            }
            #expect(frame.ticks == 960 && bench.payload[0] == 2)
        } else {
            #expect(filled == .conceal(ticks: 960))
        }
        let next = bench.take(at: 170)
        #expect(Self.isDecode(next) && bench.payload[0] == 2)
    }

    @Test func senderPauseIsSilenceNotLoss() {
        var bench = Bench { $0.minimumDelay = .milliseconds(70) }
        _ = bench.insert(0, at: 100)
        _ = bench.insert(1, at: 160, gap: 1_920)
        let first = bench.take(at: 170)
        let pause = bench.take(at: 190)
        let second = bench.take(at: 230)
        #expect(Self.isDecode(first) && pause == .silence(ticks: 1_920) && Self.isDecode(second))
        #expect(bench.buffer.statistics.counters.lost == 0)
    }

    /// Waiting for a packet that the sender never meant to send was no concealment.
    @Test(arguments: [(0 as UInt32, 960 as Int64), (960, 0), (480, 480)])
    func concealmentIsExplainedByNextPacket(silence: UInt32, concealed: Int64) {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        let first = bench.take(at: 112)
        let waits = [bench.take(at: 132), bench.take(at: 142)]
        _ = bench.insert(1, at: 141, gap: silence)
        let second = bench.take(at: 152)
        #expect(Self.isDecode(first) && Self.isDecode(second))
        #expect(waits == [.conceal(ticks: 480), .conceal(ticks: 480)])
        #expect(bench.buffer.statistics.counters.concealedTicks == concealed)
    }

    /// A late packet begins a new talkspurt: the silence before it is cut to the target.
    @Test func silenceLastsAsLongAsTarget() {
        var bench = Bench { $0.minimumDelay = .milliseconds(40) }
        _ = bench.insert(0, at: 100)
        let first = bench.take(at: 140)
        _ = bench.insert(1, at: 160, gap: 1_920)
        let silence = bench.take(at: 175)
        let second = bench.take(at: 215)
        #expect(Self.isDecode(first) && Self.isDecode(second))
        // It was due at 160 + 40 - 40, for 40 ms; the take comes 15 ms after that.
        #expect(silence == .silence(ticks: 25 * 48))
    }

    @Test func initialBacklogIsDropped() {
        var bench = Bench()
        for number in 0..<10 { _ = bench.insert(number, at: 100 + Int64(number) * 20) }
        // The last is due 12 ms after it came: see above.
        let decision = bench.take(at: 292)
        #expect(Self.isDecode(decision) && bench.payload[0] == 9)
        #expect(bench.buffer.statistics.counters.skips == 9)
    }

    @Test func oversizedAndEndlessPacketsAreRejected() {
        var bench = Bench { $0.payloadLimit = 10 }
        let header = RTPHeader(payloadType: 0, sequence: 0, timestamp: 0, source: 0)
        let large = [UInt8](repeating: 0, count: 11)
        let small: [UInt8] = [0]
        let tooLarge = bench.buffer.insert(header, ticks: 960, payload: large.span, at: .zero)
        let tooLong = bench.buffer.insert(header, ticks: 9_601, payload: small.span, at: .zero)
        let empty = bench.buffer.insert(header, ticks: 0, payload: small.span, at: .zero)
        #expect([tooLarge, tooLong, empty] == [.refused, .refused, .refused])
        #expect(bench.buffer.statistics.counters.refused == 3)
    }

    @Test func strayFromOtherSourceChangesNothing() {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        let stray = bench.insert(7, at: 101, source: 2)
        let own = bench.insert(1, at: 120)
        let other = bench.insert(8, at: 121, source: 2)
        #expect([stray, own, other] == [.stranger, .stored, .stranger])
        let second = bench.insert(9, at: 122, source: 2)
        #expect(second == .restarted)
    }

    /// The first two packets after a silence are swapped: nothing is being played yet, so both are heard in order.
    @Test(arguments: [[1, 2], [2, 1], [3, 1, 2], [3, 2, 1]])
    func reorderedStartOfTalkspurtIsSorted(order: [Int]) {
        var bench = Bench { $0.minimumDelay = .milliseconds(50) }
        _ = bench.insert(0, at: 100)
        _ = bench.take(at: 150)
        for time in stride(from: 170, to: 1_000, by: 10) as StrideTo<Int64> { _ = bench.take(at: time) }
        // 880 ms of sound time have passed: 1 is due at 1,030.
        let silence: UInt32 = 860 * 48
        for (place, number) in order.enumerated() {
            let inserted = bench.insert(number, at: 1_000 + Int64(place), gap: silence)
            #expect(inserted == .stored)
        }
        let old = bench.insert(0, at: 1_004)
        #expect(old == .duplicate)
        var heard: [UInt8] = []
        for time in stride(from: 1_030, to: 1_090, by: 20) as StrideTo<Int64> {
            if Self.isDecode(bench.take(at: time)) { heard.append(bench.payload[0]) }
        }
        #expect(heard == (1...3).filter(order.contains).map(UInt8.init))
        let counters = bench.buffer.statistics.counters
        #expect(counters.lost == 0 && counters.late == 0 && counters.concealedTicks == 0)
    }

    /// Decoders conceal in whole steps: the actual amount counts.
    @Test(arguments: [0 as UInt32, 480, 2_000])
    func actualConcealmentCounts(silence: UInt32) {
        var bench = Bench()
        _ = bench.insert(0, at: 100)
        _ = bench.take(at: 112)
        let wait = bench.take(at: 132)
        bench.buffer.invented(600, at: .zero + .milliseconds(132))
        #expect(wait == .conceal(ticks: 480))
        _ = bench.insert(1, at: 141, gap: silence)
        _ = bench.take(at: 144)
        let counters = bench.buffer.statistics.counters
        #expect(counters.concealedTicks == max(0, 600 - Int64(silence)))
        #expect(counters.lengthenedTicks == 0 && counters.shortenedTicks == 0)
    }

    @Test func actualFillCounts() {
        var bench = Bench { $0.minimumDelay = .milliseconds(25) }
        _ = bench.insert(0, at: 100)
        _ = bench.insert(2, at: 140)
        _ = bench.take(at: 125)
        let filled = bench.take(at: 145)
        guard case .conceal(let ticks) = filled else {
            Issue.record("not concealed: \(filled)")
            return
        }
        bench.buffer.invented(ticks + 72, at: .zero + .milliseconds(145))
        let counters = bench.buffer.statistics.counters
        #expect(counters.concealedTicks == Int64(ticks) + 72 && counters.playedTicks == 960 + Int64(ticks) + 72)
        // A pause of the sender is no concealment, however long it was.
        var silent = Bench { $0.minimumDelay = .milliseconds(70) }
        _ = silent.insert(0, at: 100)
        _ = silent.insert(1, at: 160, gap: 1_920)
        _ = silent.take(at: 170)
        let pause = silent.take(at: 190)
        silent.buffer.invented(2_040, at: .zero + .milliseconds(190))
        #expect(pause == .silence(ticks: 1_920) && silent.buffer.statistics.counters.concealedTicks == 0)
    }

    /// Sound that cannot be stretched is unchanged, and the actual stretch counts.
    @Test func stretchIsRequestedUntilDone() {
        var call = CallSimulation()
        var random = SeededGenerator(seed: 3)
        // Only the first 100 ms of each second can be stretched.
        call.pitchPeriod = { $0 % 1_000_000_000 < 100_000_000 ? 300 : 0 }
        call.run(milliseconds: 10_000)
        call.run(milliseconds: 10_000) { number, sent in
            [sent + (number % 8 == 0 ? 40_000_000 : 0) + Int64(random.next() % 1_000_000)]
        }
        call.run(milliseconds: 30_000)
        let counters = call.statistics.counters
        #expect(counters.shortenedTicks > 0 && counters.shortenedTicks % 300 == 0)
        #expect(call.delays(after: 48_000).allSatisfy { $0 < 25 })
    }
}
