import Platform

/// Reasons why a file cannot be played. The descriptions are texts for people, to follow the file's name.
package enum WaveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It cannot be opened or read. The number is an `errno`.
    case system(Int32)
    /// The file is a folder, a pipe or a device.
    case notRegular
    /// The name leads out of the folder of such files, or cannot be the name of a file in it.
    case outside
    /// The file is not a RIFF/WAVE file, or lacks a required part.
    case notWave(lacks: String)
    /// The sound is not PCM. The number is WAVE's number of the format.
    case notPCM(format: UInt16)
    /// The form of the samples is not supported: not 8, 16, 24 or 32 bits, not 1 to 8 channels, or a frame of another
    /// length than its samples.
    case strangeForm(bits: Int, channels: Int, frameBytes: Int)
    /// The sampling rate, in Hz, is not supported.
    case strangeRate(Int)

    package var description: String {
        switch self {
        case .system(let code): SystemError.text(code)
        case .notRegular: "not a regular file"
        case .outside: "not a name below the folder of files to play"
        case .notWave(let part): "not a WAVE file: it has no \(part)"
        case .notPCM(let format): "its sound is not PCM but has format \(format)"
        case .strangeForm(let bits, let channels, let frameBytes):
            "unsupported format: \(channels) channels of \(bits) bits in \(frameBytes) bytes"
        case .strangeRate(let rate): "\(rate) Hz is not a supported sampling rate"
        }
    }
}
