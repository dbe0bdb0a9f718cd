import COpus

/// An independent reader of recordings, by RFC 3533, RFC 7845 and the RIFF/WAVE format alone.
struct SoundFileReader {
    struct Broken: Error { let why: String }

    private(set) var left: [Int16] = []
    private(set) var right: [Int16] = []
    /// How many pages of Ogg were read.
    private(set) var pages = 0
    private(set) var isEnded = false

    var seconds: Double { Double(left.count) / 48_000 }

    init(wave bytes: [UInt8]) throws {
        guard bytes.count >= 44, Self.text(bytes, 0, 4) == "RIFF", Self.text(bytes, 8, 8) == "WAVEfmt " else {
            throw Broken(why: "no WAVE")
        }
        guard Self.number(bytes, 4, 4) == bytes.count - 8, Self.text(bytes, 36, 4) == "data",
            Self.number(bytes, 40, 4) == bytes.count - 44
        else { throw Broken(why: "lengths") }
        let form = [(16, 4), (20, 2), (22, 2), (24, 4), (28, 4), (32, 2), (34, 2)].map { Self.number(bytes, $0, $1) }
        guard form == [16, 1, 2, 48_000, 192_000, 4, 16] else { throw Broken(why: "form \(form)") }
        for place in stride(from: 44, to: bytes.count, by: 4) {
            left.append(Int16(truncatingIfNeeded: Self.number(bytes, place, 2)))
            right.append(Int16(truncatingIfNeeded: Self.number(bytes, place + 2, 2)))
        }
    }

    init(ogg bytes: [UInt8]) throws {
        var (place, stream, granule, packets) = (0, 0, 0, [[UInt8]]())
        while place < bytes.count {
            guard place + 27 <= bytes.count, Self.text(bytes, place, 4) == "OggS", bytes[place + 4] == 0 else {
                throw Broken(why: "no page at \(place)")
            }
            let table = place + 27..<place + 27 + Int(bytes[place + 26])
            guard table.upperBound <= bytes.count else { throw Broken(why: "page \(pages) is cut off") }
            let end = bytes[table].reduce(table.upperBound) { $0 + Int($1) }
            guard end <= bytes.count else { throw Broken(why: "page \(pages) is cut off") }
            let page = Array(bytes[place..<end])
            guard Self.number(page, 22, 4) == Self.checksum(page) else {
                throw Broken(why: "checksum of page \(pages)")
            }
            guard Self.number(page, 18, 4) == pages, !isEnded else { throw Broken(why: "number of page \(pages)") }
            if pages == 0 { stream = Self.number(page, 14, 4) }
            guard Self.number(page, 14, 4) == stream, (page[5] & 2 != 0) == (pages == 0), page[5] & 1 == 0 else {
                throw Broken(why: "flags of page \(pages)")
            }
            isEnded = page[5] & 4 != 0
            granule = Self.number(page, 6, 8)
            packets += try Self.packets(of: page)
            pages += 1
            place = end
        }
        guard packets.count >= 2, Self.text(packets[0], 0, 8) == "OpusHead", packets[0].count == 19,
            packets[0][8] == 1, packets[0][9] == 2, Self.number(packets[0], 12, 4) == 48_000, packets[0][18] == 0,
            Self.text(packets[1], 0, 8) == "OpusTags"
        else { throw Broken(why: "no Opus") }
        try decode(packets.dropFirst(2), lead: Self.number(packets[0], 10, 2), until: granule)
    }

    private mutating func decode(_ packets: ArraySlice<[UInt8]>, lead: Int, until end: Int) throws {
        var code: Int32 = 0
        guard let decoder = unsafe opus_decoder_create(48_000, 2, &code) else { throw Broken(why: "no decoder") }
        defer { unsafe opus_decoder_destroy(decoder) }
        var sound: [Int16] = []
        for packet in packets {
            var block = [Int16](repeating: 0, count: 2 * 5_760)
            let count = unsafe opus_decode(decoder, packet, Int32(packet.count), &block, 5_760, 0)
            guard count == 960 else { throw Broken(why: "a packet of \(count) samples") }
            sound += block.prefix(2 * Int(count))
        }
        // Only the last page may end before its last packet does.
        guard end <= sound.count / 2, isEnded ? end > sound.count / 2 - 960 : end == sound.count / 2 else {
            throw Broken(why: "\(end) samples are announced, of \(sound.count / 2)")
        }
        for place in min(lead, end)..<end {
            left.append(sound[2 * place])
            right.append(sound[2 * place + 1])
        }
    }

    private static func packets(of page: [UInt8]) throws -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var (packet, place) = ([UInt8](), 27 + Int(page[26]))
        for segment in page[27..<27 + Int(page[26])] {
            packet += page[place..<place + Int(segment)]
            place += Int(segment)
            if segment < 255 {
                packets.append(packet)
                packet = []
            }
        }
        guard packet.isEmpty else { throw Broken(why: "a packet continues in the next page") }
        return packets
    }

    /// Bit by bit, as in RFC 3533.
    private static func checksum(_ page: [UInt8]) -> Int {
        var sum: UInt32 = 0
        for (place, byte) in page.enumerated() {
            sum ^= UInt32((22..<26).contains(place) ? 0 : byte) << 24
            for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        return Int(sum)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private static func text(_ bytes: [UInt8], _ place: Int, _ count: Int) -> String {
        String(decoding: bytes.dropFirst(place).prefix(count), as: UTF8.self)
    }
}
