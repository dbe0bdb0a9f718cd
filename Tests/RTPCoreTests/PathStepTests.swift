import Base
import RTPCore
import Testing

/// A path that becomes slower for good, a clock that steps, a sender that restarts: sound is soon back.
@Suite struct PathStepTests {
    static let ms = CallSimulation.millisecond

    /// Steps beyond the longest delay, and below the second that makes a new stream.
    static let steps: [(longest: Int64, step: Int64)] = [
        (500, 510), (500, 530), (500, 700), (500, 950), (100, 115), (100, 130), (100, 300), (100, 950),
    ]

    private static func call(longest: Int64) -> CallSimulation {
        CallSimulation { $0.maximumDelay = .milliseconds(longest) }
    }

    @Test(arguments: steps)
    func stepBeyondLongestDelayIsFollowed(longest: Int64, step: Int64) {
        var call = Self.call(longest: longest)
        call.run(milliseconds: 10_000)
        call.run(milliseconds: 10_000) { _, sent in [sent + step * Self.ms] }
        let hole = call.longestHole(after: 9_000) - Double(step)
        print("a step of \(step) ms, \(longest) ms allowed: \(hole) ms without sound")
        #expect(hole < 200)
        #expect(call.delays(after: 15_000).allSatisfy { (Double(step)..<Double(step) + 30).contains($0) })
        #expect(call.statistics.counters.restarts == 0)
    }

    @Test(arguments: steps)
    func clockThatStepsBackIsFollowed(longest: Int64, step: Int64) {
        var call = Self.call(longest: longest)
        call.run(milliseconds: 10_000)
        call.jump(ticks: -step * 48)
        call.run(milliseconds: 10_000)
        #expect(call.longestHole(after: 9_000) < 200)
        #expect(call.delays(after: 12_000).allSatisfy { $0 < 30 })
    }

    /// One packet from the future, a glitch or a forgery, would otherwise be the fastest for eight seconds.
    @Test(arguments: steps)
    func onePacketFromFutureIsForgotten(longest: Int64, step: Int64) {
        var call = Self.call(longest: longest)
        call.run(milliseconds: 10_000)
        call.jump(ticks: step * 48)
        call.run(milliseconds: 20)
        call.jump(ticks: -step * 48)
        call.run(milliseconds: 10_000)
        #expect(call.longestHole(after: 9_000) < 250)
        #expect(call.delays(after: 12_000).allSatisfy { $0 < 30 })
    }

    /// Packets that arrive together after a stall are no step: too old ones are dropped, the rest is heard, and the
    /// delay returns.
    @Test(arguments: [(500, 700), (500, 950), (100, 150), (100, 400)] as [(Int64, Int64)])
    func stallBeyondLongestDelayIsNoStep(longest: Int64, stall: Int64) {
        var call = Self.call(longest: longest)
        call.run(milliseconds: 10_000)
        call.run(milliseconds: 20_000, network: StallTests.network(stalledFor: stall))
        #expect(call.longestHole() < Double(stall) + 40)
        #expect(call.delays().allSatisfy { $0 < Double(longest) + 30 })
        #expect(call.delays(after: 15_000).allSatisfy { $0 < 20 })
        #expect(Int64(call.statistics.counters.skips) <= (stall - longest) / 20 + 2)
    }

    /// A lasting jump of the sender's clock moves the base of delays, not the sound.
    @Test(arguments: [60, 200, 500, 900] as [Int64])
    func clockThatStepsAheadStretchesNothing(step: Int64) {
        var call = CallSimulation()
        call.run(milliseconds: 10_000)
        call.jump(ticks: step * 48)
        call.run(milliseconds: 10_000)
        let counters = call.statistics.counters
        #expect(counters.lengthenedTicks == 0 && counters.shortenedTicks == 0)
        #expect(call.longestHole() < 40 && call.delays().allSatisfy { $0 < 16 })
    }

    /// RFC 3550 §A.1: a packet 100 behind is no longer reordered. Fewer behind, its time decides.
    @Test(arguments: [2, 30, 65, 99, 100, 500, 2_999] as [UInt16])
    func restartedSequenceCostsOnePacket(behind: UInt16) {
        var call = CallSimulation()
        call.firstSequence = 10_000
        call.run(milliseconds: 5_000)
        call.jump(sequence: 10_250 - behind)
        call.run(milliseconds: 5_000)
        let counters = call.statistics.counters
        #expect(counters.restarts == 1 && counters.strangers == 1)
        #expect(call.heard.count >= 498 && call.longestHole() < 60)
        #expect(call.delays().allSatisfy { $0 < 15 })
    }

    /// A sender with wall-clock timestamps is off by a tick now and then: that is no gap.
    @Test(arguments: [1, 5, 96] as [Int64])
    func irregularClockIsNoGap(ticks: Int64) {
        var call = CallSimulation()
        call.driftPPM = 20
        call.run(milliseconds: 2_000)
        for turn in 0..<100 as Range<Int64> {
            call.jump(ticks: turn % 2 == 0 ? ticks : -ticks)
            call.run(milliseconds: 140)
        }
        #expect(call.count({ if case .decode = $0 { false } else { true } }, after: 1_000) == 0)
        #expect(call.delays().allSatisfy { $0 < 20 })
    }
}
