import Base
import SoundCore

/// RIFF/WAVE, 16 bits, two channels.
package struct WaveFormat: SoundFileFormat {
    package static let suffix = "wav"

    private static let channels: UInt16 = 2
    private static let frameBytes = channels * 2
    private static let headerBytes = 44

    package init() {}

    /// - Parameter size: Below 4 GiB, or the file says less than it has.
    package func opening(of size: Int) -> [UInt8] {
        let data = max(0, size - Self.headerBytes)
        var bytes = Array("RIFF".utf8)
        bytes.append(littleEndian: UInt32(clamping: data + Self.headerBytes - 8))
        bytes += Array("WAVEfmt ".utf8)
        bytes.append(littleEndian: 16 as UInt32)
        bytes.append(littleEndian: 1 as UInt16)
        bytes.append(littleEndian: Self.channels)
        bytes.append(littleEndian: UInt32(SoundFormat.sampleRate))
        bytes.append(littleEndian: UInt32(SoundFormat.sampleRate) * UInt32(Self.frameBytes))
        bytes.append(littleEndian: Self.frameBytes)
        bytes.append(littleEndian: 16 as UInt16)
        bytes += Array("data".utf8)
        bytes.append(littleEndian: UInt32(clamping: data))
        return bytes
    }

    package mutating func add(_ samples: [Int16]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * samples.count)
        for sample in samples { bytes.append(littleEndian: sample) }
        return bytes
    }

    package mutating func finish() -> [UInt8] { [] }
}
