import Base
import RTPCore
import Testing

@Suite struct ExtendedExchangeTests {
    static let us: UInt32 = 1
    static let them: UInt32 = 2

    /// The far end receives a report as bytes.
    @discardableResult
    static func deliver(
        _ report: ExtendedReport, from sender: UInt32, to exchange: inout ExtendedExchange, about source: UInt32,
        at now: Instant
    ) throws -> Duration? {
        let bytes = RTCPTests.compound { $0.appendExtendedReport(source: sender, report, to: &$1) }
        var reader = RTCPReader()
        guard case .extendedReport(sender, let blocks)? = try reader.next(in: bytes.span) else {
            Issue.record("no extended report")
            return nil
        }
        return exchange.receive(blocks, from: sender, about: source, in: bytes.span, at: now)
    }

    /// We send nothing but reports. Our time is reported at 10 s. The far end, with another clock, answers 5.25 s
    /// after it came, and the round trip takes 46 ms in all.
    @Test func roundTripWorksWithoutMedia() throws {
        let sent = Instant.zero + .seconds(10)
        var (ours, theirs) = (ExtendedExchange(), ExtendedExchange())
        #expect(theirs.answer(at: sent) == nil)
        var question = ExtendedReport()
        question.referenceTime = NTPTime(sent)
        let came = Instant.zero + .seconds(700)
        try Self.deliver(question, from: Self.us, to: &theirs, about: Self.them, at: came)
        var answer = ExtendedReport()
        answer.delay = theirs.answer(at: came + .milliseconds(5_250))
        #expect(answer.delay == DLRRReport(source: Self.us, lastReference: 10 << 16, delay: (5 << 16) + (1 << 14)))
        let arrived = sent + .milliseconds(5_296)
        let trip = try Self.deliver(answer, from: Self.them, to: &ours, about: Self.us, at: arrived)
        #expect(abs(try #require(trip).milliseconds - 46) < 0.05)
        // An answer to another source, and a false one, have no effect.
        let other = try Self.deliver(answer, from: Self.them, to: &ours, about: 9, at: arrived)
        let early = sent + .milliseconds(5_000)
        let lie = try Self.deliver(answer, from: Self.them, to: &ours, about: Self.us, at: early)
        #expect(other == nil && lie == nil)
    }

    @Test func onlyReportsAboutUsAreKept() throws {
        var exchange = ExtendedExchange()
        var report = ExtendedReport()
        report.voice = VoIPMetrics(source: 9)
        report.voice?.conversationalScore = 20
        try Self.deliver(report, from: Self.them, to: &exchange, about: Self.us, at: .zero)
        #expect(exchange.farMetrics == nil)
        report.voice = VoIPMetrics(source: Self.us)
        report.voice?.conversationalScore = 43
        try Self.deliver(report, from: Self.them, to: &exchange, about: Self.us, at: .zero)
        #expect(exchange.farMetrics?.conversationalScore == 43)
    }

    /// One is lost, one comes twice; transit times change by 0, 20, 10 and 30 ticks.
    @Test(arguments: SequenceTests.starts)
    func intervalIsSummarised(start: UInt16) throws {
        var statistics = ReceptionStatistics(source: 7, clockRate: 8_000, firstSequence: start &- 1)
        func hear(_ step: UInt16, timestamp: UInt32, ticks: Int64) {
            let now = Instant(nanoseconds: ticks * 125_000)
            _ = statistics.receive(sequence: start &+ step, timestamp: timestamp, at: now)
        }
        hear(.max, timestamp: 0, ticks: 0)
        let none = statistics.summary()
        #expect(none == nil, "on probation nothing counts")
        hear(0, timestamp: 0, ticks: 0)
        hear(1, timestamp: 160, ticks: 160)
        hear(3, timestamp: 480, ticks: 500)
        hear(3, timestamp: 480, ticks: 510)
        hear(4, timestamp: 640, ticks: 640)
        let first = statistics.summary()
        let expected = StatisticsSummary(
            source: 7, begin: start, end: start &+ 5, lost: 1, duplicates: 1,
            jitter: .init(minimum: 0, maximum: 30, mean: 15, deviation: 11))
        #expect(first == expected)
        // A packet that arrives after the report of its interval is neither lost nor received in the next one.
        hear(2, timestamp: 320, ticks: 700)
        let empty = statistics.summary()
        #expect(empty == nil)
        hear(5, timestamp: 800, ticks: 800)
        let second = statistics.summary()
        #expect(second?.begin == start &+ 5 && second?.end == start &+ 6 && second?.lost == 0)
    }
}
