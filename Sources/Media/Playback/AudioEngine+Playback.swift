import PhoneCore
import Platform
import Synchronization

/// Playing a file into a call.
extension AudioEngine {
    /// The file, once it is open and while its call has the sound. While other calls have the sound, the file waits.
    var played: Borrowed<PlayedFile>? {
        guard let file, file.use({ $0.isOpen.load(ordering: .acquiring) }), hears(file.use { $0.handle }) else {
            return nil
        }
        return file
    }

    mutating func begin(_ file: Borrowed<PlayedFile>) {
        leaveFile()
        self.file = file
        playback.begin()
    }

    /// Ends the file, with a fade-out if it is playing.
    mutating func endFile() {
        if played == nil { leaveFile() } else { playback.close() }
    }

    /// Releases the file. The audio thread no longer uses it.
    mutating func leaveFile() {
        guard let left = file else { return }
        file = nil
        left.use { $0.isOver.store(true, ordering: .releasing) }
        context.playerWake.raise()
    }

    /// - Parameters:
    ///   - isComplete: The rest of the file was already in the ring before the ring was read.
    ///   - missing: Samples that the ring did not have.
    mutating func account(for file: PlayedFile, isComplete: Bool, missing: Int) {
        if playback.isClosed || isComplete && missing > 0 {
            leaveFile()
        } else if missing > 0 {
            file.late.wrappingAdd(missing, ordering: .relaxed)
        }
    }
}
