import Base

/// A page of an Ogg stream (RFC 3533 §6): whole packets, a checksum, and their position in the stream.
package struct OggPage: Equatable, Sendable {
    package enum Place: UInt8, Sendable {
        case middle = 0
        case first = 2
        case last = 4
    }

    /// Limit of segments in a page. Each has at most 255 bytes.
    package static let segmentLimit = 255

    package let place: Place
    /// Samples at 48 kHz until the end of the page.
    package let granule: Int64
    package let stream: UInt32
    package let number: UInt32
    package let packets: [[UInt8]]

    package init(_ place: Place, granule: Int64, stream: UInt32, number: UInt32, packets: [[UInt8]]) {
        precondition(packets.reduce(0) { $0 + Self.segments($1) } <= Self.segmentLimit, "a page has 255 segments")
        (self.place, self.granule, self.stream, self.number) = (place, granule, stream, number)
        self.packets = packets
    }

    /// The number of segments of a packet. The last one always has fewer than 255 bytes.
    package static func segments(_ packet: [UInt8]) -> Int { packet.count / 255 + 1 }

    package var bytes: [UInt8] {
        var page = Array("OggS".utf8) + [0, place.rawValue]
        page.append(littleEndian: granule)
        page.append(littleEndian: stream)
        page.append(littleEndian: number)
        page += [0, 0, 0, 0]
        let segments = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        page += [UInt8(segments.count)] + segments
        for packet in packets { page += packet }
        var sum: [UInt8] = []
        sum.append(littleEndian: Self.checksum(page))
        page.replaceSubrange(22..<26, with: sum)
        return page
    }

    /// CRC-32 with the polynomial 0x04C11DB7, neither reflected nor inverted.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
}
