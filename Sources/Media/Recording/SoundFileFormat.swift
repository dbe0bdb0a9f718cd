import Base
import SoundCore

/// A format of sound files with two channels at 48 kHz, which encodes sound to bytes. Pure: no disk, no clock.
///
/// A file consists of the opening and all bytes returned after it, in this order. It is valid after each piece.
package protocol SoundFileFormat: ~Copyable {
    /// The suffix of the names of such files.
    static var suffix: String { get }

    /// The beginning of a file of this many bytes. The beginning's length does not depend on `size`.
    func opening(of size: Int) -> [UInt8]

    /// - Parameter samples: Left and right alternating.
    /// - Returns: The bytes to append, possibly none yet.
    mutating func add(_ samples: [Int16]) -> [UInt8]

    /// The bytes at the end. Call nothing after it.
    mutating func finish() -> [UInt8]
}

/// RIFF/WAVE, 16 bits, two channels.
package struct WaveWriter: SoundFileFormat {
    package static let suffix = "wav"

    package init() {}

    /// - Parameter size: Below 4 GiB. In a larger file the header's size is too small.
    package func opening(of size: Int) -> [UInt8] {
        WaveHeader(channels: 2, rate: SoundFormat.sampleRate, length: max(0, size - WaveHeader.size)).bytes
    }

    package mutating func add(_ samples: [Int16]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * samples.count)
        for sample in samples { bytes.append(littleEndian: sample) }
        return bytes
    }

    package mutating func finish() -> [UInt8] { [] }
}

/// Opus in Ogg (RFC 7845), two channels: a page for each second.
package struct OggOpusFormat: SoundFileFormat, ~Copyable {
    package static let suffix = "opus"

    private static let channels = 2
    /// The bit rate of both sides together, in bit/s. They are rarely loud at the same time.
    private static let bitrate = 48_000
    private static let frameSamples = 20 * SoundFormat.samplesPerMillisecond
    private static let packetsOfPage = 50

    private let stream: UInt32
    private var encoder: OpusEncoder
    /// Samples that the decoder produces before our first one.
    private let lead: Int
    /// Samples of the next packet, left and right alternating.
    private var samples: [Int16] = []
    /// Packets of the next page, and the number of their segments. One packet is always kept for the last page.
    private var packets: [[UInt8]] = []
    private var segments = 0
    private var pages: UInt32 = 2
    /// Samples of each channel that were added, and that are encoded.
    private var taken = 0
    private var encoded = 0

    /// - Parameters:
    ///   - stream: Distinguishes the streams of one file.
    ///   - complexity: The encoder complexity of Opus, 0...10.
    package init(stream: UInt32, complexity: Int) throws(MediaError) {
        var encoder = try OpusEncoder(complexity: complexity, for: .recording)
        encoder.configure(usesFEC: false)
        encoder.spend(bitrate: Self.bitrate)
        self.init(stream: stream, encoder: encoder)
    }

    // Swift 6.2 destroys initialised fields twice when an initialiser of a noncopyable type fails. This one cannot
    // fail.
    private init(stream: UInt32, encoder: consuming OpusEncoder) {
        lead = encoder.lookahead
        self.stream = stream
        self.encoder = encoder
    }

    package func opening(of size: Int) -> [UInt8] {
        var head = Array("OpusHead".utf8) + [1, UInt8(Self.channels)]
        head.append(littleEndian: UInt16(lead))
        head.append(littleEndian: UInt32(SoundFormat.sampleRate))
        // There is no gain, and the two channels have the standard order (§5.1.1.1).
        head += [0, 0, 0]
        var tags = Array("OpusTags".utf8)
        let vendor = Array("Offhook".utf8)
        tags.append(littleEndian: UInt32(vendor.count))
        tags += vendor
        // There are no comments, so no text from a far end gets into a file.
        tags.append(littleEndian: 0 as UInt32)
        return OggPage(.first, granule: 0, stream: stream, number: 0, packets: [head]).bytes
            + OggPage(.middle, granule: 0, stream: stream, number: 1, packets: [tags]).bytes
    }

    package mutating func add(_ samples: [Int16]) -> [UInt8] {
        taken += samples.count / Self.channels
        self.samples += samples
        var bytes: [UInt8] = []
        while self.samples.count >= Self.channels * Self.frameSamples { bytes += encodeNext() }
        return bytes
    }

    /// The end is exact to the sample: the surplus of the last packet is not played (§4).
    package mutating func finish() -> [UInt8] {
        var bytes: [UInt8] = []
        while encoded < taken + lead || packets.isEmpty {
            let missing = Self.channels * Self.frameSamples - samples.count
            samples += [Int16](repeating: 0, count: missing)
            bytes += encodeNext()
        }
        return bytes + page(.last, until: taken + lead)
    }

    /// - Returns: A page, if this packet begins the next one.
    private mutating func encodeNext() -> [UInt8] {
        let count = Self.channels * Self.frameSamples
        let next = Self.encode(samples.prefix(count), with: &encoder)
        samples.removeFirst(count)
        let isFull =
            packets.count == Self.packetsOfPage || segments + OggPage.segments(next) > OggPage.segmentLimit
        let bytes = isFull ? page(.middle, until: encoded) : []
        packets.append(next)
        segments += OggPage.segments(next)
        encoded += Self.frameSamples
        return bytes
    }

    private static func encode(_ samples: ArraySlice<Int16>, with encoder: inout OpusEncoder) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: OpusEncoder.packetLimit)
        var bytes = packet.mutableSpan
        // A packet with only its TOC byte means silence (RFC 6716 §3.1: SILK, 20 ms, stereo).
        guard let length = encoder.encode(samples.span, into: &bytes) else { return [0x0C] }
        return Array(packet.prefix(length))
    }

    private mutating func page(_ place: OggPage.Place, until granule: Int) -> [UInt8] {
        defer {
            (packets, segments) = ([], 0)
            pages += 1
        }
        return OggPage(place, granule: Int64(granule), stream: stream, number: pages, packets: packets).bytes
    }
}

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
