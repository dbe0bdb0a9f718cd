import Base
import SoundCore
import Synchronization

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
