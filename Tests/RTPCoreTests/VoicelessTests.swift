import Base
import RTPCore
import Testing

/// Packets of the stream without voice: none of it is missing where they are.
@Suite struct VoicelessTests {
    static let ms = CallSimulation.millisecond

    private static func isQuiet(_ statistics: JitterBuffer.Statistics) -> Bool {
        let (counters, pattern) = (statistics.counters, statistics.pattern)
        return counters.lost == 0 && counters.late == 0 && counters.recovered == 0 && counters.concealedTicks == 0
            && pattern.missing == 0 && pattern.rows == 0
    }

    /// A digit of 100 ms: five packets, and the end twice more.
    @Test(arguments: [false, true], [1, 20])
    func digitCausesNoLoss(hasCorrection: Bool, digits: Int) {
        var call = CallSimulation { $0.usesForwardCorrection = hasCorrection }
        call.hasVoice = { !(100..<100 + digits * 15).contains($0) || $0 % 15 < 8 }
        call.run(milliseconds: 20_000)
        #expect(Self.isQuiet(call.statistics))
        #expect(call.statistics.targetMilliseconds == 12)
        #expect(call.delays().allSatisfy { $0 < 16 } && call.heard.count > 1_000 - 8 * digits - 10)
    }

    /// A far end that sends its voice beside the events, with separate timestamps.
    @Test func voiceBesideEventsContinues() {
        var call = CallSimulation()
        call.packetMilliseconds = { (200..<220).contains($0) && $0 % 2 == 0 ? 0 : 20 }
        call.hasVoice = { !(200..<220).contains($0) || $0 % 2 == 1 }
        call.run(milliseconds: 10_000)
        #expect(Self.isQuiet(call.statistics) && call.longestHole() < 30)
    }

    /// The voice packet before the digit, one in it, and the one after it.
    @Test(arguments: [199, 203, 207])
    func lostPacketBesideEventCounts(lost: Int) {
        var call = CallSimulation()
        call.hasVoice = { !(200..<207).contains($0) }
        call.run(milliseconds: 10_000) { number, sent in number == lost ? [] : [sent] }
        let (counters, pattern) = (call.statistics.counters, call.statistics.pattern)
        #expect(counters.lost == 1 && pattern.missing == 1 && counters.late == 0)
        #expect(counters.concealedTicks <= 960 + 480)
        #expect(call.delays(after: 6_000).allSatisfy { $0 < 25 })
    }

    /// Out of order, late and twice: the same as in order.
    @Test(arguments: [5, 30, 45, 70] as [Int64], [false, true])
    func reorderedEventIsHarmless(milliseconds: Int64, hasCorrection: Bool) {
        var call = CallSimulation { $0.usesForwardCorrection = hasCorrection }
        call.hasVoice = { $0 % 100 < 90 || $0 % 100 > 96 }
        call.run(milliseconds: 20_000) { number, sent in
            switch number % 100 {
            case 92: [sent + milliseconds * Self.ms, sent + (milliseconds + 7) * Self.ms]
            case 96: [sent + milliseconds * Self.ms, sent + 200 * Self.ms]
            default: [sent]
            }
        }
        let (counters, pattern) = (call.statistics.counters, call.statistics.pattern)
        #expect(counters.lost == 0 && counters.late == 0 && pattern.missing == 0 && pattern.rows == 0)
        #expect(call.statistics.targetMilliseconds == 12)
    }

    /// A long key with some lost packets: only those count.
    @Test(arguments: [2, 30, 90], [0, 1, 3])
    func longKeyCausesNoLoss(seconds: Int, lost: Int) {
        var call = CallSimulation()
        let last = 200 + seconds * 50
        call.hasVoice = { !(200..<last).contains($0) }
        call.run(milliseconds: Int64(seconds) * 1_000 + 10_000) { number, sent in
            (230..<230 + lost).contains(number) ? [] : [sent]
        }
        let counters = call.statistics.counters
        #expect(counters.lost == lost && counters.restarts == 0 && counters.concealedTicks == 0)
        #expect(call.heard.count > 490 && call.delays().allSatisfy { $0 < 16 })
    }

    /// Comfort noise (RFC 3389): a packet now and then during silence.
    @Test func comfortNoiseIsSilenceOfSender() {
        var call = CallSimulation()
        let isNoise: @Sendable (Int) -> Bool = { $0 % 60 >= 50 }
        call.hasVoice = { !isNoise($0) }
        call.packetMilliseconds = { isNoise($0) ? 100 : 20 }
        call.run(milliseconds: 30_000)
        #expect(Self.isQuiet(call.statistics) && call.delays().allSatisfy { $0 < 16 })
    }

    /// Whatever others claim, the voice is heard.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func hostileEventsAreHarmless(seed: UInt64) {
        var call = CallSimulation { $0.usesForwardCorrection = true }
        call.firstSequence = 65_400
        var random = SeededGenerator(seed: seed)
        for turn in 0..<500 {
            call.run(milliseconds: 20)
            for claim in 0..<4 {
                // Other sources may send anything; a forger of our source does not know the position.
                let isOurs = claim == 0
                let place = UInt16(truncatingIfNeeded: random.next() % 60_000)
                let far = call.firstSequence &+ UInt16(truncatingIfNeeded: turn) &+ 2_000 &+ place
                let near = call.firstSequence &+ UInt16(truncatingIfNeeded: turn + claim)
                call.buffer.insertVoiceless(
                    RTPHeader(payloadType: 101, sequence: isOurs ? far : near, timestamp: 0, source: isOurs ? 7 : 8))
            }
        }
        #expect(Self.isQuiet(call.statistics) && call.heard.count > 495 && call.statistics.counters.restarts == 0)
    }

    /// A packet that forges the number of the coming voice does not replace it.
    @Test func voiceTakesPrecedence() {
        var call = CallSimulation()
        for number in 0..<500 {
            call.buffer.insertVoiceless(
                RTPHeader(payloadType: 101, sequence: UInt16(number), timestamp: 0, source: 7))
            call.run(milliseconds: 20)
        }
        #expect(Self.isQuiet(call.statistics) && call.heard.count > 495)
    }
}
