import SoundCore

/// A sound file that plays repeatedly, as a ring or as hold music, read as a whole.
package enum RingFile {
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case wave(WaveError)
        case tooLong(seconds: Int)
        case empty

        package var description: String {
            switch self {
            case .wave(let error): error.description
            case .tooLong(let seconds): "it is longer than \(seconds) s"
            case .empty: "it contains no sound"
            }
        }
    }

    /// - Parameter limit: the longest duration, in seconds.
    /// - Returns: At least 1 sample. For a thread that may wait for the disk.
    package static func read(_ path: String, limit: Int = 30) throws(Failure) -> [Int16] {
        let longest = limit * SoundFormat.sampleRate
        var sound: [Int16] = []
        do throws(WaveError) {
            var reader = try WaveReader(path: path)
            while case let piece = try reader.read(), !piece.isEmpty, sound.count <= longest { sound += piece }
        } catch {
            throw .wave(error)
        }
        if sound.count > longest { throw .tooLong(seconds: limit) }
        return if sound.isEmpty { throw .empty } else { sound }
    }
}
