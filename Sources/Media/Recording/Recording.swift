import Base
import PhoneCore
import Platform
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

/// Collects the sound of a call for its recording: the microphone as sent, and the voices of all audible far ends at
/// their original level. It also adds the beep for all parties. For the audio thread: allocates nothing after `init`.
///
/// The voices of the far ends are decoded on the playback clock and recorded on the capture clock.
package struct RecordingTap: ~Copyable {
    private var theirs: Mixer
    private var ours: Mixer
    private var bridge: ClockBridge
    private let scratch: Workspace<Int16>
    private let sent: Workspace<Int16>
    private var hasSent = false
    /// One beep for each clock: at the earpiece, and to the far ends.
    private var beepHere = ToneGenerator()
    private var beepThere = ToneGenerator()

    package init(quantum: Int, beep: ToneSpec?) {
        theirs = Mixer(capacity: quantum)
        ours = Mixer(capacity: quantum)
        bridge = ClockBridge(quantum: quantum)
        scratch = Workspace(count: quantum, filler: 0)
        sent = Workspace(count: quantum, filler: 0)
        if let beep {
            beepHere.start(beep)
            beepThere.start(beep)
        }
    }

    // MARK: On the playback clock

    package mutating func beginReceived(_ count: Int) { theirs.begin(count: count) }

    package mutating func addReceived(_ voice: Span<Int16>) { theirs.add(voice) }

    /// - Parameter mix: The mix for the earpiece, which gets the beep.
    package mutating func endReceived(_ count: Int, into mix: inout Mixer) {
        scratch.write(0..<count) { theirs.finish(into: &$0) }
        scratch.read(0..<count) { bridge.write($0) }
        scratch.write(0..<count) { beepHere.render(into: &$0) }
        scratch.read(0..<count) { mix.add($0) }
    }

    // MARK: On the capture clock

    /// - Parameter others: What far ends hear besides the microphone.
    package mutating func beginSent(_ count: Int, into others: inout Mixer) {
        ours.begin(count: count)
        scratch.write(0..<count) { beepThere.render(into: &$0) }
        scratch.read(0..<count) { others.add($0) }
        scratch.read(0..<count) { ours.add($0) }
        hasSent = true
    }

    package mutating func addSent(_ microphone: Span<Int16>) { ours.add(microphone) }

    /// Ends the quantum. A call without the sound is recorded as silence.
    /// - Parameter gain: The gain of the far ends; zero while they may not be heard.
    package mutating func endSent(
        _ count: Int, gain: Float, into frames: borrowing SPSCRing<Recording.Frame>, lost: borrowing Atomic<Int>
    ) {
        if !hasSent { ours.begin(count: count) }
        hasSent = false
        sent.write(0..<count) { ours.finish(into: &$0) }
        scratch.write(0..<count) { bridge.read(into: &$0, gain: gain) }
        for place in 0..<count where !frames.push(Recording.Frame(ours: sent[place], theirs: scratch[place])) {
            lost.wrappingAdd(1, ordering: .relaxed)
        }
    }
}

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
