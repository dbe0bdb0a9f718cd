import Base
import RTPCore
import Testing

@Suite("Redundant payloads (RFC 2198)")
struct RedundantPayloadTests {
    private static func parse(_ bytes: [UInt8]) throws(RedundantPayload.ParseError) -> RedundantPayload {
        try RedundantPayload(parsing: bytes.span)
    }

    /// Type, age, and the range of its bytes.
    private static func fields(_ block: RedundantPayload.Block) -> [Int] {
        [Int(block.payloadType), Int(block.age), block.range.lowerBound, block.range.upperBound]
    }

    @Test("the newest frame alone is read")
    func newestFrameAloneIsRead() throws {
        let payload = try Self.parse([0x6F, 1, 2, 3])
        #expect(payload.olderCount == 0)
        #expect(Self.fields(payload.newest) == [111, 0, 1, 4])
    }

    /// A PCMU frame and its two predecessors, the oldest with DVI4's type, bit by bit as in the figure of §4.
    @Test("two older frames and the newest are read")
    func twoOlderFramesAndNewestAreRead() throws {
        let first: [UInt8] = [0x80 | 5, 0b0000_0101, 0b0000_0000, 2]
        let second: [UInt8] = [0x80, 0b0000_0010, 0b1000_0000, 3]
        let payload = try Self.parse(first + second + [0] + [10, 11, 20, 21, 22, 30])
        #expect(payload.olderCount == 2)
        #expect(Self.fields(payload.older(0)) == [5, 320, 9, 11])
        #expect(Self.fields(payload.older(1)) == [0, 160, 11, 14])
        #expect(Self.fields(payload.newest) == [0, 0, 14, 15])
    }

    @Test("the largest fields that fit are read")
    func largestFieldsThatFitAreRead() throws {
        var bytes = [UInt8](repeating: 9, count: 2 + RedundantPayload.overhead + 1_023)
        var span = bytes.mutableSpan
        RedundantPayload.writeHeaders(older: (127, 16_383, 1_023), newest: 96, into: &span, at: 2)
        #expect(bytes[..<2] == [9, 9])
        let payload = try Self.parse(Array(bytes[2...]))
        #expect(Self.fields(payload.older(0)) == [127, 16_383, 5, 1_028])
        #expect(Self.fields(payload.newest) == [96, 0, 1_028, 1_028])
    }

    @Test(
        "a truncated payload is rejected",
        arguments: [
            ([], 1, 0), ([0x80], 5, 1), ([0x80, 0, 0, 0], 5, 4), ([0x80, 0, 0, 4, 0, 1, 2, 3], 9, 8),
            ([0x80, 0, 0, 1, 0x80, 0, 0, 1, 0, 7], 11, 10),
        ] as [([UInt8], Int, Int)])
    func truncatedPayloadIsRejected(_ bytes: [UInt8], needed: Int, available: Int) {
        #expect(throws: RedundantPayload.ParseError.truncated(needed: needed, available: available)) {
            try Self.parse(bytes)
        }
    }

    @Test("more than eight older frames are rejected")
    func moreThanEightOlderFramesAreRejected() throws {
        let older: [UInt8] = [0x80, 0, 4, 0]
        let eight = try Self.parse([[UInt8]](repeating: older, count: 8).flatMap(\.self) + [0])
        #expect(eight.olderCount == 8)
        #expect(throws: RedundantPayload.ParseError.tooManyBlocks) {
            try Self.parse([[UInt8]](repeating: older, count: 9).flatMap(\.self) + [0])
        }
    }

    @Test("no bytes give a range outside of them")
    func noBytesGiveRangeOutsideOfThem() {
        var random = SeededGenerator(seed: 2198)
        var whole = 0
        for _ in 0..<200_000 {
            let count = Int.random(in: 0..<24, using: &random)
            // Short lengths, or hardly any would fit.
            let bytes = (0..<count).map { _ in
                UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0x83 : 3)
            }
            guard let payload = try? Self.parse(bytes) else { continue }
            whole += 1
            var place = payload.olderCount * 4 + 1
            for index in 0..<payload.olderCount {
                #expect(payload.older(index).range.lowerBound == place)
                place = payload.older(index).range.upperBound
            }
            #expect(payload.newest.range == place..<count)
        }
        #expect(whole > 10_000)
    }
}
