/// The header of a RIFF/WAVE file that contains only samples: 16 bits each, least significant byte first.
public struct WaveHeader: Equatable, Sendable {
    /// The size of every header, in bytes.
    public static let size = 44

    public let channels: Int
    /// Samples a second of each channel.
    public let rate: Int
    /// The length of all samples, in bytes. Above 4 GiB the header states less than the file contains.
    public let length: Int

    /// - Precondition: There are one or two channels, the rate is positive, and the length is not negative.
    public init(channels: Int, rate: Int, length: Int) {
        precondition((1...2).contains(channels) && rate > 0 && length >= 0, "a valid WAVE format")
        (self.channels, self.rate, self.length) = (channels, rate, length)
    }

    public var bytes: [UInt8] {
        let frame = 2 * channels
        var bytes = Array("RIFF".utf8)
        bytes.append(littleEndian: UInt32(clamping: length + Self.size - 8))
        bytes += Array("WAVEfmt ".utf8)
        bytes.append(littleEndian: 16 as UInt32)
        bytes.append(littleEndian: 1 as UInt16)
        bytes.append(littleEndian: UInt16(channels))
        bytes.append(littleEndian: UInt32(rate))
        bytes.append(littleEndian: UInt32(rate * frame))
        bytes.append(littleEndian: UInt16(frame))
        bytes.append(littleEndian: 16 as UInt16)
        bytes += Array("data".utf8)
        bytes.append(littleEndian: UInt32(clamping: length))
        return bytes
    }
}
