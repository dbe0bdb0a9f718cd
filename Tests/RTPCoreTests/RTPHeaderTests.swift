import Base
import RTPCore
import Testing

@Suite struct RTPHeaderTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        /// Payload range, or the exact error.
        let expected: Result<Range<Int>, RTPHeader.ParseError>
    }

    /// Version 2, payload type 111, sequence 1, timestamp 960, source 0xDEADBEEF.
    private static func packet(first: UInt8, _ rest: [UInt8] = []) -> [UInt8] {
        [first, 111, 0, 1, 0, 0, 3, 0xC0, 0xDE, 0xAD, 0xBE, 0xEF] + rest
    }

    static let vectors = [
        Vector(testDescription: "empty", bytes: [], expected: .failure(.truncated(needed: 12, available: 0))),
        Vector(
            testDescription: "eleven bytes", bytes: Array(packet(first: 0x80).dropLast()),
            expected: .failure(.truncated(needed: 12, available: 11))),
        Vector(testDescription: "version 1", bytes: packet(first: 0x40), expected: .failure(.version(1))),
        Vector(testDescription: "no payload", bytes: packet(first: 0x80), expected: .success(12..<12)),
        Vector(testDescription: "payload", bytes: packet(first: 0x80, [1, 2, 3]), expected: .success(12..<15)),
        Vector(
            testDescription: "contributors cut", bytes: packet(first: 0x82, [0, 0, 0, 1]),
            expected: .failure(.truncated(needed: 20, available: 16))),
        Vector(
            testDescription: "contributors", bytes: packet(first: 0x81, [0, 0, 0, 1, 9]), expected: .success(16..<17)),
        Vector(
            testDescription: "extension header cut", bytes: packet(first: 0x90, [0xBE, 0xDE]),
            expected: .failure(.truncated(needed: 16, available: 14))),
        Vector(
            testDescription: "extension body cut", bytes: packet(first: 0x90, [0xBE, 0xDE, 0, 2, 0, 0, 0, 0]),
            expected: .failure(.truncated(needed: 24, available: 20))),
        Vector(
            testDescription: "extension", bytes: packet(first: 0x90, [0xBE, 0xDE, 0, 1, 0x10, 0, 0, 0, 7]),
            expected: .success(20..<21)),
        Vector(
            testDescription: "padding", bytes: packet(first: 0xA0, [7, 8, 0, 2]), expected: .success(12..<14)),
        Vector(testDescription: "all padding", bytes: packet(first: 0xA0, [0, 2]), expected: .success(12..<12)),
        Vector(
            testDescription: "padding of none", bytes: packet(first: 0xA0, [7, 0]), expected: .failure(.padding(0))),
        Vector(
            testDescription: "padding into the header", bytes: packet(first: 0xA0, [7, 3]),
            expected: .failure(.padding(3))),
        Vector(
            testDescription: "padding without payload", bytes: packet(first: 0xA0), expected: .failure(.padding(0xEF))),
    ]

    @Test(arguments: vectors)
    func headerIsParsedOrRejected(_ vector: Vector) {
        let parsed = Result { () throws(RTPHeader.ParseError) in try RTPHeader(parsing: vector.bytes.span).payload }
        #expect(parsed == vector.expected)
    }

    @Test func fieldsAreRead() throws {
        let header = try RTPHeader(parsing: Self.packet(first: 0x80).span)
        #expect(!header.marker)
        #expect(header.payloadType == 111)
        #expect(header.sequence == 1)
        #expect(header.timestamp == 960)
        #expect(header.source == 0xDEAD_BEEF)
    }

    @Test(arguments: [UInt16(0), 1, 32_767, 65_535], [true, false])
    func headerRoundTrips(sequence: UInt16, marker: Bool) throws {
        let header = RTPHeader(
            payloadType: 127, sequence: sequence, timestamp: .max, source: 0x8000_0001, marker: marker,
            payloadCount: 4)
        var bytes = [UInt8](repeating: 0xFF, count: 16)
        var span = bytes.mutableSpan
        header.write(into: &span)
        #expect(try RTPHeader(parsing: bytes.span) == header)
    }

    @Test(
        arguments: [
            ([0x00, 0x01], MuxedPacket.stun), ([22, 254], .dtls), ([64, 0], .turnChannel), ([0x80, 111], .rtp),
            ([0x80, 0x80 | 111], .rtp), ([0x80, 200], .rtcp), ([0x81, 203], .rtcp), ([0x80, 72], .rtp),
            ([80, 0], .unknown),
            ([192, 0], .unknown), ([0x80], .unknown), ([], .unknown),
        ] as [([UInt8], MuxedPacket)])
    func rtpAndRTCPAreSeparated(bytes: [UInt8], expected: MuxedPacket) {
        #expect(MuxedPacket(classifying: bytes.span) == expected)
    }
}
