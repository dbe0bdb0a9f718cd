import Base
import Media
import SoundCore
import Synchronization
import Testing

/// The content of a recording, without threads.
@Suite
struct RecordingTapTests {
    private static let quantum = 480

    /// A slow disk: sound without room in the ring is counted, and nothing else is affected.
    @Test func overflowOfRingIsCounted() {
        var tap = RecordingTap(quantum: Self.quantum, beep: nil)
        let frames = SPSCRing<Recording.Frame>(capacity: 1_024, filler: .init(ours: 0, theirs: 0))
        let lost = Atomic(0)
        for _ in 0..<3 { tap.endSent(Self.quantum, gain: 1, into: frames, lost: lost) }
        let (waiting, missing) = (frames.count, lost.load(ordering: .relaxed))
        #expect(waiting == 1_024 && missing == 3 * Self.quantum - 1_024)
        while frames.pop() != nil {}
        tap.endSent(Self.quantum, gain: 1, into: frames, lost: lost)
        let (again, still) = (frames.count, lost.load(ordering: .relaxed))
        #expect(again == Self.quantum && still == missing)
    }

    /// The far ends' sound comes 25 ms later, to absorb the two clocks, and complete.
    @Test func receivedSoundIsAlignedWithSent() {
        var tap = RecordingTap(quantum: Self.quantum, beep: nil)
        var ear = Mixer(capacity: Self.quantum)
        var others = Mixer(capacity: Self.quantum)
        let frames = SPSCRing<Recording.Frame>(capacity: 1 << 14, filler: .init(ours: 0, theirs: 0))
        let lost = Atomic(0)
        let voice = [Int16](repeating: 1_000, count: Self.quantum)
        let microphone = [Int16](repeating: 300, count: Self.quantum)
        for turn in 0..<20 {
            ear.begin(count: Self.quantum)
            others.begin(count: Self.quantum)
            tap.beginReceived(Self.quantum)
            tap.addReceived(voice.span)
            tap.addReceived(voice.span)
            tap.endReceived(Self.quantum, into: &ear)
            // While another call has the audio, this one sends silence.
            if turn < 15 {
                tap.beginSent(Self.quantum, into: &others)
                tap.addSent(microphone.span)
            }
            tap.endSent(Self.quantum, gain: 1, into: frames, lost: lost)
        }
        var recorded: [Recording.Frame] = []
        while let frame = frames.pop() { recorded.append(frame) }
        #expect(recorded.count == 20 * Self.quantum)
        #expect(recorded.prefix(15 * Self.quantum).allSatisfy { $0.ours == 300 })
        #expect(recorded.suffix(5 * Self.quantum).allSatisfy { $0.ours == 0 })
        let first = recorded.firstIndex { $0.theirs > 1_900 }
        #expect(first.map { (2 * Self.quantum...4 * Self.quantum).contains($0) } == true)
        #expect(recorded.suffix(10 * Self.quantum).allSatisfy { abs(Int($0.theirs) - 2_000) < 20 })
    }
}
