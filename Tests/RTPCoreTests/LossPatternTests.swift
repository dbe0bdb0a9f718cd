import RTPCore
import Testing

@Suite struct LossPatternTests {
    /// A letter for each packet: received, or missing.
    static func pattern(_ trace: String) -> LossPattern {
        var pattern = LossPattern()
        for letter in trace { if letter == "x" { pattern.miss(1) } else { pattern.hear() } }
        return pattern
    }

    static func heard(_ count: Int) -> String { String(repeating: "-", count: count) }

    /// A trace by hand: a packet alone is in a gap; `xx-x` and `x`, 15 heard, `x` are bursts.
    static let trace = heard(20) + "x" + heard(20) + "xx-x" + heard(30) + "x" + heard(15) + "x" + heard(40)

    @Test func handMadeTraceHasExpectedBursts() {
        let counts = Self.pattern(Self.trace).counts
        #expect(counts.heard == 126 && counts.missing == 6 && counts.rows == 5)
        #expect(counts.bursts == 2 && counts.burstPackets == 21 && counts.burstMissing == 5)
        #expect(counts.gapPackets == 111)
        #expect(counts.burstDensity == 5.0 / 21 && counts.gapDensity == 1.0 / 111)
        #expect(counts.burstLength == 10.5 && counts.gapLength == 37)
        #expect(abs(counts.burstRatio - 1.2 * 126 / 132) < 1e-12)
    }

    /// RFC 3611 §4.7.2 with Gmin 16: how far apart two missing packets may be in one burst.
    @Test(arguments: [(0, 1), (15, 1), (16, 0), (200, 0)])
    func sixteenReceivedPacketsEndBurst(between: Int, bursts: Int64) {
        let counts = Self.pattern(Self.heard(50) + "x" + Self.heard(between) + "x").counts
        #expect(counts.bursts == bursts && counts.missing == 2)
        #expect(counts.burstPackets == (bursts == 0 ? 0 : Int64(between) + 2))
    }

    @Test func edgesCountAsGaps() {
        #expect(LossPattern().counts == LossPattern.Counts())
        #expect(LossPattern().counts.burstRatio == 1 && LossPattern().counts.missingShare == 0)
        #expect(Self.pattern("x" + Self.heard(20)).counts.bursts == 0)
        let open = Self.pattern("xx").counts
        #expect(open.bursts == 1 && open.burstDensity == 1 && open.gapLength == 0)
        // A burst that continues is still one.
        #expect(Self.pattern("xx" + Self.heard(3) + "x").counts.bursts == 1)
    }

    /// Losses in rows of three are three times longer than random ones, apart from random rows.
    @Test func burstRatioSeparatesRowsFromRandomLoss() {
        let rows = Self.pattern(String(repeating: "xxx" + Self.heard(57), count: 10)).counts
        #expect(abs(rows.burstRatio - 3 * 0.95) < 1e-12)
        let alone = Self.pattern(String(repeating: "x" + Self.heard(19), count: 10)).counts
        #expect(alone.burstRatio == 1)
    }

    @Test func discardsCountAsMissing() {
        var pattern = Self.pattern(Self.trace)
        for _ in 0..<2 { pattern.discard() }
        #expect(pattern.counts.discardedShare == 2.0 / 132 && pattern.counts.lostShare == 4.0 / 132)
        for _ in 0..<20 { pattern.discard() }
        #expect(pattern.counts.discarded == 6, "never more than are missing")
    }

    /// Packets that turn out to be no voice leave no trace, alone, at a row's end, or in a burst.
    @Test(arguments: ["-", "xx", "xx---", "xx" + heard(10), heard(30)], [(1, 0), (1, 3), (1, 20), (2, 3), (2, 20)])
    func excusedPacketsWereNeverMissing(before: String, row: (missing: Int64, after: Int)) {
        var pattern = Self.pattern(Self.heard(20) + before)
        var expected = pattern
        pattern.miss(row.missing)
        for _ in 0..<row.after {
            pattern.hear()
            expected.hear()
        }
        for _ in 0..<row.missing { pattern.excuse() }
        #expect(pattern.counts == expected.counts)
        for _ in 0..<2 {
            pattern.miss(1)
            expected.miss(1)
        }
        #expect(pattern.counts == expected.counts, "and what follows is in the same bursts")
        for _ in 0..<9 { pattern.excuse() }
        #expect(pattern.counts.missing >= 0 && pattern.counts.rows >= 0 && pattern.counts.burstMissing >= 0)
    }

    @Test func intervalIsDifference() {
        let before = Self.pattern(Self.trace).counts
        var pattern = Self.pattern(Self.trace)
        pattern.miss(2)
        pattern.hear()
        let since = pattern.counts.since(before)
        #expect(since.heard == 1 && since.missing == 2 && since.rows == 1 && since.bursts == 1)
        #expect(since.missingShare == 2.0 / 3)
    }

    /// Five of each 250 packets: in the buffer they are bursts, whose last packet can be repaired.
    @Test(arguments: [false, true])
    func bufferReportsBursts(hasCorrection: Bool) {
        var call = CallSimulation { $0.usesForwardCorrection = hasCorrection }
        call.run(milliseconds: 60_000) { number, sent in (1..<250).contains(number % 255) ? [sent] : [] }
        let (counts, counters) = (call.statistics.pattern, call.statistics.counters)
        #expect((11...12).contains(counts.bursts))
        #expect(counts.missing == Int64(counters.lost - counters.recovered) && counts.discarded == 0)
        #expect(hasCorrection == (counters.recovered > 0))
        #expect(counts.burstDensity == 1 && counts.gapDensity == 0 && counts.rows == counts.bursts)
        #expect(counts.burstLength >= 4)
    }

    /// A packet half a second late was missing, and is discarded.
    @Test func bufferReportsDiscards() {
        var call = CallSimulation()
        call.run(milliseconds: 60_000) { number, sent in
            [number % 100 == 99 ? sent + 500 * CallSimulation.millisecond : sent]
        }
        let (counts, counters) = (call.statistics.pattern, call.statistics.counters)
        #expect(counters.late > 20 && counts.discarded == Int64(counters.late))
        #expect(counts.lostShare < 0.001 && counts.bursts == 0)
    }
}
