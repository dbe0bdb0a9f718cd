import PhoneCore
import Synchronization

/// A call on its way into a file.
extension AudioEngine {
    /// The recording, while its call has the sound.
    var recorded: Recording? {
        guard let recording = recording?.recording else { return nil }
        let isHeard = calls.contains { $0.handle == recording.handle && $0.voice.isHeard }
        return isHeard ? recording : nil
    }

    mutating func begin(_ reference: RecordingReference) {
        endRecording()
        recording = reference
    }

    /// The audio thread touches it no more.
    mutating func endRecording() {
        guard let recording = recording?.recording else { return }
        self.recording = nil
        recording.isOver.store(true, ordering: .releasing)
        context.scribeWake.raise()
    }

    /// Time passes for the recording, whoever has the sound.
    mutating func record(_ count: Int) {
        guard let recording = recording?.recording else { return }
        recording.tap.endSpeaking(
            count, gain: context.loudness.farEnds, into: recording.frames, lost: recording.lost)
        if recording.isRefused.load(ordering: .relaxed) { endRecording() }
    }
}
