import SoundCore

/// A recorded ring, read as a whole.
package enum RingFile {
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case wave(WaveError)
        case tooLong, empty

        package var description: String {
            switch self {
            case .wave(let error): error.description
            case .tooLong: "it is longer than \(RingFile.longestSeconds) s"
            case .empty: "there is no sound in it"
            }
        }
    }

    static let longestSeconds = 30

    /// - Returns: 1 sample to 30 s. For a thread that may wait for the disk.
    package static func read(_ path: String) throws(Failure) -> [Int16] {
        var sound: [Int16] = []
        do throws(WaveError) {
            var reader = try WaveReader(path: path)
            while case let piece = try reader.read(), !piece.isEmpty, sound.count <= longest { sound += piece }
        } catch {
            throw .wave(error)
        }
        if sound.count > longest { throw .tooLong }
        return if sound.isEmpty { throw .empty } else { sound }
    }

    private static let longest = longestSeconds * SoundFormat.sampleRate
}
