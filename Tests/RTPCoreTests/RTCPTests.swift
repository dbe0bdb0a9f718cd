import Base
import RTPCore
import Testing

@Suite struct RTCPTests {
    static let information = SenderInformation(
        time: NTPTime(rawValue: 0x0123_4567_89AB_CDEF), timestamp: .max, packets: 7, octets: 0x8000_0000)
    static let block = ReportBlock(
        source: 0xCAFE_F00D, fractionLost: 255, cumulativeLost: -5, highestSequence: 0x0001_FFFF, jitter: 1,
        lastSenderReport: 0x4567_89AB, delaySinceLastSenderReport: 65_536)

    static func compound(_ write: (inout RTCPWriter, inout MutableSpan<UInt8>) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: RTCPWriter.largestCompound)
        var writer = RTCPWriter()
        var span = bytes.mutableSpan
        write(&writer, &span)
        return Array(bytes.prefix(writer.count))
    }

    static func packets(in bytes: [UInt8]) throws(RTCPReader.ParseError) -> [RTCPPacket] {
        var reader = RTCPReader()
        var packets: [RTCPPacket] = []
        while let packet = try reader.next(in: bytes.span) { packets.append(packet) }
        return packets
    }

    @Test(arguments: [0, 1, 2, 3, 4, 255])
    func senderReportRoundTrips(nameCount: Int) throws {
        let name = (0..<nameCount).map { UInt8($0) }
        let bytes = Self.compound { writer, span in
            writer.appendSenderReport(source: 1, Self.information, block: Self.block, to: &span)
            writer.appendSourceDescription(source: 1, canonicalName: name.span, to: &span)
            writer.appendGoodbye(source: 1, to: &span)
        }
        #expect(bytes.count % 4 == 0)
        let packets = try Self.packets(in: bytes)
        try #require(packets.count == 3)
        guard case .senderReport(let source, let information, let blocks) = packets[0],
            case .sourceDescription(let described, let range) = packets[1],
            case .goodbye(let sources, let reason) = packets[2]
        else {
            Issue.record("other packets than were written: \(packets)")
            return
        }
        #expect(source == 1 && described == 1 && information == Self.information)
        #expect(blocks.count == 1)
        #expect(blocks.block(about: 0xCAFE_F00D, in: bytes.span) == Self.block)
        #expect(blocks.block(about: 1, in: bytes.span) == nil)
        #expect(range.map { Array(bytes[$0]) } == name)
        #expect(Array(bytes[sources]) == [0, 0, 0, 1] && reason == nil)
    }

    @Test func receiverReportsRoundTrip() throws {
        let full = Self.compound { $0.appendReceiverReport(source: 2, block: Self.block, to: &$1) }
        guard case .receiverReport(2, let blocks)? = try Self.packets(in: full).first else {
            Issue.record("no receiver report")
            return
        }
        let read = blocks.block(0, in: full.span)
        #expect(read == Self.block)
        let empty = Self.compound { $0.appendReceiverReport(source: 2, block: nil, to: &$1) }
        #expect(empty == [0x80, 201, 0, 1, 0, 0, 0, 2])
    }

    @Test(arguments: [-0x80_0000, -1, 0, 0x7F_FFFF] as [Int32])
    func lossIsSigned(lost: Int32) throws {
        let block = ReportBlock(
            source: 3, fractionLost: 0, cumulativeLost: lost, highestSequence: 0, jitter: 0, lastSenderReport: 0,
            delaySinceLastSenderReport: 0)
        let bytes = Self.compound { $0.appendReceiverReport(source: 2, block: block, to: &$1) }
        guard case .receiverReport(2, let blocks)? = try Self.packets(in: bytes).first else {
            Issue.record("no receiver report")
            return
        }
        #expect(blocks.block(about: 3, in: bytes.span)?.cumulativeLost == lost)
    }

    struct Malformed: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let error: RTCPReader.ParseError
    }

    @Test(arguments: [
        Malformed(testDescription: "stump", bytes: [0x80, 201, 0], error: .truncated(needed: 4, available: 3)),
        Malformed(testDescription: "version", bytes: [0x00, 201, 0, 0], error: .version(0)),
        Malformed(
            testDescription: "absurd length", bytes: [0x80, 201, 0xFF, 0xFF, 0, 0, 0, 1],
            error: .truncated(needed: 262_144, available: 8)),
        Malformed(testDescription: "no source", bytes: [0x80, 201, 0, 0], error: .count(type: 201, count: 0)),
        Malformed(
            testDescription: "absurd count", bytes: [0x9F, 201, 0, 1, 0, 0, 0, 1], error: .count(type: 201, count: 31)),
        Malformed(
            testDescription: "short sender report", bytes: [0x80, 200, 0, 1, 0, 0, 0, 1],
            error: .count(type: 200, count: 0)),
        Malformed(
            testDescription: "sources missing", bytes: [0x82, 203, 0, 1, 0, 0, 0, 1], error: .count(type: 203, count: 2)
        ),
        Malformed(
            testDescription: "reason past the end", bytes: [0x81, 203, 0, 2, 0, 0, 0, 1, 9, 65, 66, 67], error: .items),
        Malformed(testDescription: "chunk missing", bytes: [0x81, 202, 0, 0], error: .count(type: 202, count: 1)),
        Malformed(testDescription: "no end of items", bytes: [0x81, 202, 0, 1, 0, 0, 0, 1], error: .items),
        Malformed(
            testDescription: "item past the end", bytes: [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 200, 65, 0], error: .items),
        Malformed(testDescription: "padding of none", bytes: [0xA0, 201, 0, 1, 0, 0, 0, 0], error: .padding(0)),
        Malformed(testDescription: "odd padding", bytes: [0xA0, 201, 0, 1, 0, 0, 0, 3], error: .padding(3)),
        Malformed(testDescription: "padding too long", bytes: [0xA0, 201, 0, 1, 0, 0, 0, 8], error: .padding(8)),
        Malformed(
            testDescription: "padding in the middle",
            bytes: [0xA0, 201, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4, 0x80, 201, 0, 1, 0, 0, 0, 1], error: .padding(4)),
    ])
    func malformedPacketIsRejected(_ row: Malformed) {
        #expect(throws: row.error) { try Self.packets(in: row.bytes) }
    }

    @Test func otherPacketsAreSkipped() throws {
        let bytes: [UInt8] = [0x80, 204, 0, 1, 0, 0, 0, 1, 0xA1, 203, 0, 2, 0, 0, 0, 5, 0, 0, 0, 4]
        #expect(
            try Self.packets(in: bytes) == [.other(type: 204, body: 4..<8), .goodbye(sources: 12..<16, reason: nil)])
    }

    @Test func scheduleIsSpreadAroundFiveSeconds() {
        var random = SeededGenerator(seed: 5)
        var now = Instant.zero
        var schedule = RTCPSchedule(start: now, random: 0)
        #expect(schedule.due - now > .seconds(1) && schedule.due - now < .seconds(1.1))
        var intervals: [Double] = []
        for _ in 0..<2_000 {
            let earlyIsDue = schedule.isDue(at: schedule.due - .nanoseconds(1), random: 0)
            #expect(!earlyIsDue)
            let due = schedule.due
            let isDue = schedule.isDue(at: due, random: random.next())
            #expect(isDue)
            now = due
            intervals.append((schedule.due - now).milliseconds)
        }
        #expect(intervals.allSatisfy { (2_052...6_157).contains($0) })
        let mean = intervals.reduce(0, +) / 2_000
        #expect(abs(mean - 5_000 / 1.218282) < 60)
    }
}
