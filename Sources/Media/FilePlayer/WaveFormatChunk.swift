import Base
import SoundCore

/// The form of the samples in a WAVE file: PCM of one length, interleaved by channel.
package struct WaveFormatChunk: Equatable, Sendable {
    /// The least length of the chunk, and the most bytes that are read of it.
    static let leastBytes = 16
    static let mostBytes = 40

    private static let pcm: UInt16 = 1
    private static let extensible: UInt16 = 0xFFFE
    /// The offset of the format's number in the extensible form, and the bytes that follow the number in every format
    /// that Microsoft has defined.
    private static let subformatPlace = 24
    private static let subformatEnd: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    /// Sampling rate in Hz, one of `RateConverter.rates`.
    package let rate: Int
    /// 1 to 8.
    package let channels: Int
    /// 8, 16, 24 or 32.
    package let bits: Int

    var sampleBytes: Int { bits / 8 }
    var frameBytes: Int { channels * sampleBytes }

    /// - Parameter chunk: The contents of a `fmt ` chunk, at least `leastBytes` of them.
    init(_ chunk: [UInt8]) throws(WaveError) {
        let format = Self.format(chunk)
        guard format == Self.pcm else { throw .notPCM(format: format) }
        (channels, bits) = (Int(chunk.littleEndian(at: 2, bytes: 2)), Int(chunk.littleEndian(at: 14, bytes: 2)))
        rate = Int(chunk.littleEndian(at: 4, bytes: 4))
        let frame = Int(chunk.littleEndian(at: 12, bytes: 2))
        guard [8, 16, 24, 32].contains(bits), (1...8).contains(channels), frame == channels * bits / 8 else {
            throw .strangeForm(bits: bits, channels: channels, frameBytes: frame)
        }
        guard RateConverter.rates.contains(rate) else { throw .strangeRate(rate) }
    }

    /// Mixes whole frames to one channel. Each sample is the mean of its channels, which never gets too loud.
    func mono(_ bytes: [UInt8]) -> [Float] {
        stride(from: 0, to: bytes.count / frameBytes * frameBytes, by: frameBytes).map { frame in
            var sum: Float = 0
            for place in stride(from: frame, to: frame + frameBytes, by: sampleBytes) {
                sum += sample(bytes, place)
            }
            return sum / Float(channels)
        }
    }

    /// A sample in the range of 16 bits. Only samples of 8 bits are unsigned.
    private func sample(_ bytes: [UInt8], _ place: Int) -> Float {
        let raw = bytes.littleEndian(at: place, bytes: sampleBytes) << (32 - bits)
        let signed = Int32(bitPattern: bits == 8 ? raw ^ 0x8000_0000 : raw)
        return Float(signed) / 65_536
    }

    private static func format(_ chunk: [UInt8]) -> UInt16 {
        let format = UInt16(chunk.littleEndian(at: 0, bytes: 2))
        let end = subformatPlace + 2..<subformatPlace + 2 + subformatEnd.count
        guard format == extensible, chunk.count >= end.upperBound, Array(chunk[end]) == subformatEnd else {
            return format
        }
        return UInt16(chunk.littleEndian(at: subformatPlace, bytes: 2))
    }
}
