import PhoneCore
import Platform
import Synchronization

/// Recording a call.
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

    /// Releases the recording. The audio thread no longer uses it.
    mutating func endRecording() {
        guard let ended = recording else { return }
        recording = nil
        ended.use { $0.isOver.store(true, ordering: .releasing) }
        context.recorderWake.raise()
    }

    /// Adds this much time to the recording, even if another call has the sound.
    mutating func record(_ count: Int) {
        let isRefused = recording?.use { recording in
            recording.tap.endSent(
                count, gain: context.volume.farEnds, into: recording.frames, lost: recording.lost)
            return recording.isRefused.load(ordering: .relaxed)
        }
        if isRefused == true { endRecording() }
    }
}
