import Base
import RTPCore
import Testing

/// Extended reports, RFC 3611: octets worked out by hand from its figures, both ways.
@Suite struct ExtendedReportTests {
    static let source: UInt32 = 0xCAFE_F00D

    static let head: [UInt8] = [0x80, 207, 0, 27, 0, 0, 0, 1]
    static let referenceTime: [UInt8] = [4, 0, 0, 2, 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
    static let delay: [UInt8] = [5, 0, 0, 3, 0xCA, 0xFE, 0xF0, 0x0D, 0x45, 0x67, 0x89, 0xAB, 0, 1, 0, 0]
    static let summary: [UInt8] = [
        6, 0xE8, 0, 9, 0xCA, 0xFE, 0xF0, 0x0D, 0xFF, 0xFE, 0, 5, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 10, 0, 0, 1, 44, 0, 0,
        0, 64, 0, 0, 0, 32, 60, 64, 62, 1,
    ]
    static let voice: [UInt8] = [
        7, 0, 0, 8, 0xCA, 0xFE, 0xF0, 0x0D, 12, 4, 128, 2, 0, 210, 2, 228, 0, 40, 0, 70, 0xEC, 0xB0, 127, 16, 78, 127,
        41, 39, 0xF5, 0, 0, 25, 0, 80, 1, 244,
    ]
    static let whole = head + referenceTime + delay + summary + voice

    static var report: ExtendedReport {
        var report = ExtendedReport()
        report.referenceTime = NTPTime(rawValue: 0x0123_4567_89AB_CDEF)
        report.delay = DLRRReport(source: source, lastReference: 0x4567_89AB, delay: 65_536)
        report.summary = StatisticsSummary(
            source: source, begin: 0xFFFE, end: 5, lost: 3, duplicates: 2,
            jitter: .init(minimum: 10, maximum: 300, mean: 64, deviation: 32),
            hops: .timeToLive(.init(minimum: 60, maximum: 64, mean: 62, deviation: 1)))
        var voice = VoIPMetrics(source: source)
        (voice.lossRate, voice.discardRate, voice.burstDensity, voice.gapDensity) = (12, 4, 128, 2)
        (voice.burstDuration, voice.gapDuration, voice.roundTrip, voice.endSystemDelay) = (210, 740, 40, 70)
        (voice.signalLevel, voice.noiseLevel, voice.residualEchoReturnLoss) = (-20, -80, nil)
        (voice.rating, voice.externalRating, voice.listeningScore, voice.conversationalScore) = (78, nil, 41, 39)
        (voice.concealment, voice.adaptation, voice.adjustment) = (.standard, .adaptive, 5)
        (voice.nominalBuffer, voice.maximumBuffer, voice.absoluteMaximumBuffer) = (25, 80, 500)
        report.voice = voice
        return report
    }

    static func blocks(in bytes: [UInt8]) throws(RTCPReader.ParseError) -> [ExtendedBlock] {
        var found: [ExtendedBlock] = []
        var reader = RTCPReader()
        while let packet = try reader.next(in: bytes.span) {
            guard case .extendedReport(_, var blocks) = packet else { continue }
            while let block = blocks.next(in: bytes.span) { found.append(block) }
        }
        return found
    }

    @Test func reportIsWrittenOctetByOctet() {
        let bytes = RTCPTests.compound { $0.appendExtendedReport(source: 1, Self.report, to: &$1) }
        #expect(bytes == Self.whole)
        let nothing = RTCPTests.compound { $0.appendExtendedReport(source: 1, ExtendedReport(), to: &$1) }
        #expect(nothing.isEmpty)
    }

    @Test func reportIsReadOctetByOctet() throws {
        let found = try Self.blocks(in: Self.whole)
        try #require(found.count == 4)
        #expect(found[0] == .referenceTime(NTPTime(rawValue: 0x0123_4567_89AB_CDEF)))
        guard case .delays(let reports) = found[1] else {
            Issue.record("no answer: \(found[1])")
            return
        }
        #expect(reports.count == 1)
        #expect(reports.report(about: Self.source, in: Self.whole.span) == Self.report.delay)
        #expect(reports.report(about: 1, in: Self.whole.span) == nil)
        #expect(found[2] == Self.report.summary.map { .summary($0) })
        #expect(found[3] == Self.report.voice.map { .voice($0) })
    }

    /// Our compound has room for all of it beside the longest name.
    @Test func largestCompoundHoldsReport() throws {
        let name = [UInt8](repeating: 65, count: 255)
        let bytes = RTCPTests.compound { writer, span in
            writer.appendSenderReport(source: 1, RTCPTests.information, block: RTCPTests.block, to: &span)
            writer.appendExtendedReport(source: 1, Self.report, to: &span)
            writer.appendSourceDescription(source: 1, canonicalName: name.span, to: &span)
            writer.appendGoodbye(source: 1, to: &span)
        }
        #expect(try RTCPTests.packets(in: bytes).count == 4 && bytes.count <= RTCPWriter.largestCompound)
    }

    /// Fields flagged as empty are ignored, and unknown values are not sent.
    @Test(arguments: [(0x00, nil, nil, false), (0x80, 3, nil, false), (0x40, nil, 2, false), (0x20, nil, nil, true)])
    func onlyFlaggedFieldsCount(flags: UInt8, lost: UInt32?, duplicates: UInt32?, hasJitter: Bool) throws {
        var bytes = [0x80, 207, 0, 11, 0, 0, 0, 1] + Self.summary
        bytes[9] = flags
        guard case .summary(let summary)? = try Self.blocks(in: bytes).first else {
            Issue.record("no summary")
            return
        }
        #expect(summary.lost == lost && summary.duplicates == duplicates && (summary.jitter != nil) == hasJitter)
        #expect(summary.hops == nil)
        var report = ExtendedReport()
        report.summary = summary
        let written = RTCPTests.compound { $0.appendExtendedReport(source: 1, report, to: &$1) }
        #expect(written[9] == flags)
        #expect(try Self.blocks(in: written) == [.summary(summary)])
    }

    @Test(arguments: [(127, nil), (101, nil), (100, 100), (0, 0)] as [(UInt8, UInt8?)])
    func impossibleRatingsAreDropped(octet: UInt8, rating: UInt8?) throws {
        var bytes = [0x80, 207, 0, 10, 0, 0, 0, 1] + Self.voice
        bytes[8 + 24] = octet
        bytes[8 + 26] = octet
        guard case .voice(let metrics)? = try Self.blocks(in: bytes).first else {
            Issue.record("no metrics")
            return
        }
        #expect(metrics.rating == rating)
        #expect(metrics.listeningScore == nil, "a score is 1.0 to 5.0")
    }

    @Test func unknownBlocksAreSkipped() throws {
        let bytes: [UInt8] =
            [0x80, 207, 0, 8, 0, 0, 0, 1] + [200, 9, 0, 1, 1, 2, 3, 4] + [1, 0, 0, 0] + [5, 0, 0, 0]
            + Self.referenceTime
        let found = try Self.blocks(in: bytes)
        try #require(found.count == 4)
        #expect(found[0] == .other(type: 200, body: 12..<16) && found[1] == .other(type: 1, body: 20..<20))
        #expect(found[3] == .referenceTime(NTPTime(rawValue: 0x0123_4567_89AB_CDEF)))
        #expect(try Self.blocks(in: [0x80, 207, 0, 1, 0, 0, 0, 1]).isEmpty)
    }

    struct Malformed: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let blocks: [UInt8]
        let error: RTCPReader.ParseError
    }

    @Test(arguments: [
        Malformed(
            testDescription: "past the end", blocks: [4, 0, 0, 2], error: .block(type: 4, size: 12, available: 4)),
        Malformed(
            testDescription: "absurd", blocks: [99, 0, 0xFF, 0xFF, 0, 0, 0, 0],
            error: .block(type: 99, size: 262_144, available: 8)),
        Malformed(
            testDescription: "short time", blocks: [4, 0, 0, 1, 0, 0, 0, 0],
            error: .block(type: 4, size: 8, available: 8)),
        Malformed(testDescription: "empty time", blocks: [4, 0, 0, 0], error: .block(type: 4, size: 4, available: 4)),
        Malformed(
            testDescription: "a third of an answer", blocks: [5, 0, 0, 1, 0, 0, 0, 0],
            error: .block(type: 5, size: 8, available: 8)),
        Malformed(
            testDescription: "empty summary", blocks: [6, 0, 0, 0], error: .block(type: 6, size: 4, available: 4)),
        Malformed(
            testDescription: "long metrics", blocks: [7, 0, 0, 9] + [UInt8](repeating: 0, count: 36),
            error: .block(type: 7, size: 40, available: 40)),
        Malformed(
            testDescription: "good, then bad", blocks: referenceTime + [6, 0, 0, 200],
            error: .block(type: 6, size: 804, available: 4)),
    ])
    func malformedReportIsRejected(_ row: Malformed) {
        let bytes = [0x80, 207, 0, UInt8(1 + row.blocks.count / 4), 0, 0, 0, 1] + row.blocks
        #expect(throws: row.error) { try Self.blocks(in: bytes) }
    }

    @Test func reportNeedsSource() {
        #expect(throws: RTCPReader.ParseError.count(type: 207, count: 0)) { try Self.blocks(in: [0x80, 207, 0, 0]) }
    }

    /// A parsed report stays inside its bytes, and round-trips.
    @Test(arguments: 0..<10) func tenThousandMutantsAreSafe(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(3_611 + seed))
        var (parsed, refused) = (0, 0)
        for _ in 0..<1_000 {
            let bytes = ParserFuzzTests.mutate(Self.whole, &random)
            guard let found = try? Self.blocks(in: bytes) else {
                refused += 1
                continue
            }
            parsed += 1
            for block in found {
                var report = ExtendedReport()
                switch block {
                case .referenceTime(let time): report.referenceTime = time
                case .delays(let reports): report.delay = reports.report(about: Self.source, in: bytes.span)
                case .summary(let summary): report.summary = summary
                case .voice(let metrics): report.voice = metrics
                case .other(_, let body): _ = bytes[body]
                }
                let written = RTCPTests.compound { $0.appendExtendedReport(source: 1, report, to: &$1) }
                let back = try Self.blocks(in: written)
                if case .delays = block { continue }
                #expect(back.isEmpty || back == [block])
            }
        }
        #expect(parsed > 100 && refused > 100, "\(parsed) \(refused)")
    }
}
