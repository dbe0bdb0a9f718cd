import Base
import RTPCore
import Testing

@Suite struct ReceptionStatisticsTests {
    static let millisecond: Int64 = 1_000_000

    static func trusted(at start: UInt16) -> ReceptionStatistics {
        var statistics = ReceptionStatistics(source: 1, clockRate: 8_000, firstSequence: start &- 1)
        let first = statistics.receive(sequence: start &- 1, timestamp: 0, at: .zero)
        #expect(first == .onProbation)
        let second = statistics.receive(sequence: start, timestamp: 0, at: .zero)
        #expect(second == .accepted)
        return statistics
    }

    @Test(arguments: SequenceTests.starts)
    func countsContinueThroughWraps(start: UInt16) {
        var statistics = Self.trusted(at: start)
        for step in 1..<UInt32(140_000) where step % 10 != 0 {
            _ = statistics.receive(
                sequence: start &+ UInt16(truncatingIfNeeded: step), timestamp: step &* 160,
                at: Instant(nanoseconds: Int64(step) * 20 * Self.millisecond))
        }
        #expect(statistics.packetsExpected == 140_000)
        #expect(statistics.packetsLost == 13_999)
        #expect(statistics.extendedHighest == UInt32(start) + 139_999)
        #expect(statistics.jitterTicks == 0)
        let block = statistics.reportBlock(at: .zero)
        #expect(block?.fractionLost == 25)
        #expect(block?.cumulativeLost == 13_999)
    }

    /// RFC 3550 §A.3: the fraction covers the time since the last report, and duplicates make it 0.
    @Test func fractionCoversInterval() {
        var statistics = Self.trusted(at: 100)
        for sequence in UInt16(101)...103 { _ = statistics.receive(sequence: sequence, timestamp: 0, at: .zero) }
        let whole = statistics.reportBlock(at: .zero)
        #expect(whole?.fractionLost == 0)
        _ = statistics.receive(sequence: 107, timestamp: 0, at: .zero)
        let gap = statistics.reportBlock(at: .zero)
        #expect(gap?.fractionLost == 192 && gap?.cumulativeLost == 3)
        for _ in 0..<5 { _ = statistics.receive(sequence: 107, timestamp: 0, at: .zero) }
        let doubled = statistics.reportBlock(at: .zero)
        #expect(doubled?.fractionLost == 0 && doubled?.cumulativeLost == -2)
    }

    /// RFC 3550 §A.8 in sixteenths: +D, less (J + 8) / 16, at each packet.
    @Test func jitterFollowsFormula() {
        var jitter = InterarrivalJitter()
        var sixteenths = 0
        var random = SeededGenerator(seed: 8)
        var last: Int?
        for packet in 0..<1_000 {
            let transit = Int(random.next() % 400)
            jitter.observe(
                arrival: UInt32(truncatingIfNeeded: packet * 160 + transit),
                timestamp: UInt32(truncatingIfNeeded: packet * 160))
            if let last { sixteenths += abs(transit - last) - (sixteenths + 8) / 16 }
            last = transit
            #expect(Int(jitter.ticks) == sixteenths / 16)
        }
        #expect((100...170).contains(jitter.ticks))
    }

    @Test func jitterOfOneStepDecays() {
        var jitter = InterarrivalJitter()
        jitter.observe(arrival: .max - 5, timestamp: .max - 5)
        jitter.observe(arrival: 154 + 160, timestamp: 154)
        #expect(jitter.ticks == 10)
        jitter.observe(arrival: 314 + 160, timestamp: 314)
        #expect(jitter.ticks == 9)
    }

    @Test func secondPacketInOrderConfirmsRestart() {
        var statistics = Self.trusted(at: 10)
        let stray = statistics.receive(sequence: 20_000, timestamp: 0, at: .zero)
        #expect(stray == .rejected)
        let usual = statistics.receive(sequence: 11, timestamp: 0, at: .zero)
        #expect(usual == .accepted && statistics.packetsExpected == 2)
        _ = statistics.receive(sequence: 30_000, timestamp: 0, at: .zero)
        let restarted = statistics.receive(sequence: 30_001, timestamp: 0, at: .zero)
        #expect(restarted == .accepted)
        #expect(statistics.packetsExpected == 1 && statistics.packetsLost == 0)
    }

    @Test func unconfirmedSourceCountsNothing() {
        var statistics = ReceptionStatistics(source: 1, clockRate: 8_000, firstSequence: 5)
        _ = statistics.receive(sequence: 5, timestamp: 0, at: .zero)
        let verdict = statistics.receive(sequence: 9, timestamp: 0, at: .zero)
        #expect(verdict == .onProbation && statistics.packetsExpected == 0)
        let block = statistics.reportBlock(at: .zero)
        #expect(block == nil, "RFC 3550 §A.1: no source before it is valid")
    }

    /// Packets of one source, one by one.
    static func receive(_ sequences: ClosedRange<UInt16>, of source: UInt32, _ reception: inout Reception) {
        for sequence in sequences {
            let header = RTPHeader(
                payloadType: 0, sequence: sequence, timestamp: UInt32(sequence) * 160, source: source)
            _ = reception.receive(header, clockRate: 8_000, at: .zero + .milliseconds(Int(sequence) * 20))
        }
    }

    /// RFC 3550 §A.1: a source counts from its second packet in order on, and until then the other one does.
    @Test func strayOfOtherSourceResetsNothing() {
        var reception = Reception()
        Self.receive(100...199, of: 1, &reception)
        let before = reception.statistics
        #expect(before?.packetsReceived == 99)
        for stray in [7, 9, 11] as [UInt16] { Self.receive(stray...stray, of: 2, &reception) }
        #expect(reception.statistics == before)
        Self.receive(200...200, of: 1, &reception)
        #expect(reception.statistics?.packetsReceived == 100)
        // One more of the other's: packets before our own do not count for it.
        Self.receive(12...12, of: 2, &reception)
        #expect(reception.statistics?.source == 1)
        Self.receive(13...20, of: 2, &reception)
        #expect(reception.statistics?.source == 2 && reception.statistics?.packetsReceived == 8)
        #expect(reception.statistics?.packetsLost == 0)
    }

    /// The first packet of a call may be the stray.
    @Test func initialStrayIsForgotten() {
        var reception = Reception()
        Self.receive(5...5, of: 2, &reception)
        #expect(reception.statistics == nil)
        Self.receive(100...110, of: 1, &reception)
        #expect(reception.statistics?.source == 1 && reception.statistics?.packetsReceived == 10)
    }

    /// We report at 10 s, the peer holds the report for 5.25 s and its answer takes 46 ms in all.
    @Test func roundTripIsMeasuredThroughPeer() throws {
        let sent = Instant.zero + .seconds(10)
        let information = RTPSender(source: 2, firstSequence: 0, firstTimestamp: 0).information(at: sent)
        var peer = Self.trusted(at: 0)
        peer.receive(information, at: .zero + .seconds(700))
        let reported = peer.reportBlock(at: .zero + .seconds(700) + .milliseconds(5_250))
        let block = try #require(reported)
        #expect(block.delaySinceLastSenderReport == (5 << 16) + (1 << 14))
        let trip = try #require(NTPTime.roundTrip(of: block, at: sent + .milliseconds(5_296)))
        #expect(abs(trip.milliseconds - 46) < 0.05)
        #expect(NTPTime.roundTrip(of: block, at: sent + .milliseconds(5_249)) == .zero)
        #expect(NTPTime.roundTrip(of: block, at: sent + .milliseconds(5_000)) == nil)
        #expect(NTPTime.roundTrip(of: block, at: sent + .seconds(60)) == nil)
    }
}
