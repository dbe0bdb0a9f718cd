import PhoneCore
import Platform
import Synchronization

/// A call on its way into a file.
extension AudioEngine {
    /// The recording, while its call has the sound.
    var recorded: Borrowed<Recording>? {
        guard let recording, hears(recording.use { $0.handle }) else { return nil }
        return recording
    }

    mutating func begin(_ recording: Borrowed<Recording>) {
        endRecording()
        self.recording = recording
    }

    /// Releases the recording. The audio thread does not use it any more.
    mutating func endRecording() {
        guard let ended = recording else { return }
        recording = nil
        ended.use { $0.isOver.store(true, ordering: .releasing) }
        context.recorderWake.raise()
    }

    /// Lets time pass for the recording, whichever call has the sound.
    mutating func record(_ count: Int) {
        let isRefused = recording?.use { recording in
            recording.tap.endSent(
                count, gain: context.volume.farEnds, into: recording.frames, lost: recording.lost)
            return recording.isRefused.load(ordering: .relaxed)
        }
        if isRefused == true { endRecording() }
    }
}
