import Base
import PhoneCore
import SoundCore
import Synchronization

/// The recording of a call, as the audio thread and the recorder share it.
///
/// `@unchecked Sendable`: `tap` belongs to the audio thread until it sets `isOver`; everything else is immutable,
/// atomic or a ring. The recorder keeps the recording alive until then, so that the audio thread may borrow it.
package final class Recording: @unchecked Sendable {
    /// One sample of each side, taken at the same time.
    package struct Frame: BitwiseCopyable, Sendable {
        package var ours: Int16
        package var theirs: Int16

        package init(ours: Int16, theirs: Int16) { (self.ours, self.theirs) = (ours, theirs) }
    }

    /// 2.7 s of sound, enough for the time that a disk may spend on other work.
    private static let capacity = 1 << 17

    let call: CallID
    /// The call as the audio thread knows it.
    let handle: UInt32
    /// The sound of both sides, from the audio thread to the recorder.
    let frames = SPSCRing<Frame>(capacity: capacity, filler: Frame(ours: 0, theirs: 0))
    /// Written by the audio thread: the samples that did not fit into the ring.
    let lost = Atomic<Int>(0)
    /// Written by the audio thread when it no longer uses the recording.
    let isOver = Atomic<Bool>(false)
    /// Written by the recorder: it wants no more sound.
    let isRefused = Atomic<Bool>(false)
    /// Audio thread only.
    var tap: RecordingTap

    init(call: CallID, handle: UInt32, quantum: Int, beep: RecordingSettings.Beep?) {
        self.call = call
        self.handle = handle
        tap = RecordingTap(quantum: quantum, beep: beep?.tone)
    }
}

extension RecordingSettings.Beep {
    /// Louder than a murmur, softer than a voice, in dBm0.
    private static let level: Float = -18
    /// The usual length in telephony, a fifth of a second.
    private static let milliseconds: UInt32 = 200

    fileprivate var tone: ToneSpec {
        let pause = UInt32(period.milliseconds) - Self.milliseconds
        guard let sound = ToneSegment(frequencies: [pitch], milliseconds: Self.milliseconds),
            let silence = ToneSegment(frequencies: [], milliseconds: pause),
            let tone = ToneSpec(segments: [sound, silence], level: Self.level)
        else { preconditionFailure("the settings were checked") }
        return tone
    }
}
