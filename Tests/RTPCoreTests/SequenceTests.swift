import Base
import RTPCore
import Testing

@Suite struct SequenceTests {
    static let starts: [UInt16] = [0, 1, 32_767, 65_535]

    @Test(arguments: starts)
    func sequenceFollowsThreeWraps(start: UInt16) {
        var sequence = ExtendedSequence(first: start)
        for step in Int64(0)..<200_000 {
            let value = sequence.extend(start &+ UInt16(truncatingIfNeeded: step))
            #expect(value == Int64(start) + step)
        }
        #expect(sequence.rollovers == (Int64(start) + 199_999) / 65_536)
    }

    @Test(arguments: starts)
    func sequenceHandlesReordering(start: UInt16) {
        var sequence = ExtendedSequence(first: start)
        #expect(sequence.extend(start &+ 5) == Int64(start) + 5)
        #expect(sequence.extend(start &- 3) == Int64(start) - 3)
        #expect(sequence.newest == Int64(start) + 5)
    }

    @Test func distanceIsSigned() {
        #expect(ExtendedSequence.distance(from: 65_535, to: 0) == 1)
        #expect(ExtendedSequence.distance(from: 0, to: 65_535) == -1)
        #expect(ExtendedSequence.distance(from: 0, to: 32_767) == 32_767)
        #expect(ExtendedTimestamp.distance(from: .max, to: 959) == 960)
    }

    @Test(arguments: [8_000, 48_000])
    func clockIsExactAfterYears(rate: Int) {
        let clock = MediaClock(rate: rate)
        let tenYears = Int64(10 * 365 * 86_400)
        #expect(
            clock.ticks(Instant(nanoseconds: tenYears * 1_000_000_000 + 500_000_000)) == tenYears * Int64(rate) + Int64(
                rate) / 2)
        #expect(clock.duration(ticks: tenYears * Int64(rate) + 8) == .seconds(tenYears) + clock.duration(ticks: 8))
        #expect(clock.milliseconds(ticks: Int64(rate) / 50) == 20)
    }

    @Test(arguments: starts)
    func senderCountsThroughEverything(start: UInt16) {
        var sender = RTPSender(source: 9, firstSequence: start, firstTimestamp: .max - 959)
        let first = sender.nextFrame(payloadType: 111, ticks: 960, payloadCount: 40)
        let second = sender.nextFrame(payloadType: 111, ticks: 960, payloadCount: 60)
        sender.pause(ticks: 48_000)
        let third = sender.nextFrame(payloadType: 0, ticks: 960, payloadCount: 160)
        #expect([first.sequence, second.sequence, third.sequence] == [start, start &+ 1, start &+ 2])
        #expect([first.timestamp, second.timestamp, third.timestamp] == [UInt32.max - 959, 0, 48_960])
        #expect([first.marker, second.marker, third.marker] == [true, false, true])
        let information = sender.information(at: Instant(nanoseconds: 1_500_000_000), sinceFrame: 480)
        #expect(information.packets == 3)
        #expect(information.octets == 260)
        #expect(information.timestamp == 49_920 + 480)
        #expect(information.time.rawValue == 0x1_8000_0000)
    }

    @Test func eventsShareSequenceButNotTimestamp() {
        var sender = RTPSender(source: 9, firstSequence: 10, firstTimestamp: 0)
        let event = sender.nextEvent(payloadType: 101, timestamp: 0, marker: true)
        sender.pause(ticks: 960)
        let sound = sender.nextFrame(payloadType: 111, ticks: 960, payloadCount: 1)
        #expect(event.sequence == 10 && event.timestamp == 0 && event.marker)
        #expect(sound.sequence == 11 && sound.timestamp == 960 && sound.marker)
        #expect(sender.octets == 5)
    }
}
