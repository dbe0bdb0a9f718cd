import Base
import SoundCore

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
