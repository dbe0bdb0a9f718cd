import Platform

/// Why a file gives no sound. The descriptions are for people, behind the file's name.
package enum WaveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It cannot be opened or read. The number is an `errno`.
    case system(Int32)
    /// A folder, a pipe, a device.
    case notRegular
    /// Its name leads out of the folder of such files, or to nowhere in it.
    case outside
    /// No RIFF/WAVE file, or one that lacks what it must have.
    case notWave(lacks: String)
    /// Sound, but not as plain numbers. The number is WAVE's for the format.
    case notPCM(format: UInt16)
    /// Not 8, 16, 24 or 32 bits, more than eight channels, or a frame that is not as long as its samples.
    case strangeForm(bits: Int, channels: Int, frameBytes: Int)
    /// Samples a second.
    case strangeRate(Int)

    package var description: String {
        switch self {
        case .system(let code): SystemError.text(code)
        case .notRegular: "not a regular file"
        case .outside: "not a name below the folder of files to play"
        case .notWave(let part): "not a WAVE file: it has no \(part)"
        case .notPCM(let format): "its sound is not PCM but of format \(format)"
        case .strangeForm(let bits, let channels, let frameBytes):
            "\(channels) channels of \(bits) bits in \(frameBytes) bytes cannot be played"
        case .strangeRate(let rate): "\(rate) Hz is no rate that can be played"
        }
    }
}
