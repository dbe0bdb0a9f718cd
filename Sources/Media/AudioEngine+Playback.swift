import PhoneCore
import Synchronization

/// A file on its way into a call.
extension AudioEngine {
    /// The file, once it is open and while its call has the sound. While others have it, it waits.
    var played: PlayedFile? {
        guard let file = file?.file, file.isOpen.load(ordering: .acquiring) else { return nil }
        let isHeard = calls.contains { $0.handle == file.handle && $0.voice.isHeard }
        return isHeard ? file : nil
    }

    mutating func begin(_ reference: PlayedFileReference) {
        leaveFile()
        file = reference
        playback.begin()
    }

    /// Gently, where it is heard.
    mutating func endFile() {
        if played == nil { leaveFile() } else { playback.close() }
    }

    /// The audio thread touches it no more.
    mutating func leaveFile() {
        guard let file = file?.file else { return }
        self.file = nil
        file.isOver.store(true, ordering: .releasing)
        context.reciterWake.raise()
    }

    /// - Parameters:
    ///   - isComplete: Of the ring, before it was emptied.
    ///   - missing: What the ring did not have.
    mutating func account(for file: PlayedFile, isComplete: Bool, missing: Int) {
        if playback.isClosed || isComplete && missing > 0 {
            leaveFile()
        } else if missing > 0 {
            file.late.wrappingAdd(missing, ordering: .relaxed)
        }
    }
}
