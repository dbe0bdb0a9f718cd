import Base
import SoundCore

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
