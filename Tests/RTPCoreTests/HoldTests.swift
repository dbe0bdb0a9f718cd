import Base
import RTPCore
import Testing

/// A call on hold, on either side: sound that was not meant to be heard is neither lost nor concealed.
///
/// A far end that pauses while its clock runs is in `JitterBufferScenarioTests.silenceOfTheSenderIsNoConcealment`.
@Suite struct HoldTests {
    private func expectNothingMissing(_ call: borrowing CallSimulation) {
        let counters = call.statistics.counters
        #expect(counters.received > 500)
        #expect(counters.lost == 0 && counters.late == 0)
        #expect(counters.concealedTicks == 0)
    }

    /// We hold: packets keep coming and are dropped, and the buffer restarts when the call is heard again.
    @Test(arguments: [1, 10, 100] as [Int64])
    func packetsDroppedOnHoldAreNotMissing(seconds: Int64) {
        var call = CallSimulation()
        call.run(milliseconds: 6_000)
        call.isHeard = false
        call.run(milliseconds: seconds * 1_000)
        call.buffer.reset()
        call.isHeard = true
        call.run(milliseconds: 6_000)
        expectNothingMissing(call)
        #expect(call.statistics.counters.restarts == 0)
        #expect(call.delays().allSatisfy { $0 < 16 })
    }

    /// The far end holds and stops its clock too, as some exchanges do: its timestamps are late by the hold.
    @Test(arguments: [2, 10, 100] as [Int64])
    func stoppedClockIsNewStream(seconds: Int64) {
        var call = CallSimulation()
        call.run(milliseconds: 6_000)
        call.isTalking = { _ in false }
        call.run(milliseconds: seconds * 1_000)
        call.jump(ticks: -seconds * 48_000)
        call.isTalking = { _ in true }
        call.run(milliseconds: 6_000)
        expectNothingMissing(call)
        #expect(call.statistics.counters.restarts == 1)
        #expect(call.delays().allSatisfy { $0 < 16 })
    }

    /// The far end holds with music: another source, and afterwards the old one again.
    @Test func musicOnHoldCostsOnePacketEachWay() {
        var call = CallSimulation()
        call.run(milliseconds: 6_000)
        for (sequence, source) in [(9_000 as UInt16, 8 as UInt32), (500, 7)] {
            call.jump(sequence: sequence, ticks: 1 << 29, source: source)
            call.run(milliseconds: 6_000)
        }
        let counters = call.statistics.counters
        #expect(counters.restarts == 2 && counters.strangers == 2 && counters.lost == 0)
        #expect(counters.concealedTicks <= 2 * 48 * 50)
        #expect(call.delays().allSatisfy { $0 < 16 })
    }
}
