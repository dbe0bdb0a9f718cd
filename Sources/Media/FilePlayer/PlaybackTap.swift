import Base
import SoundCore

/// Brings a file's sound to the far ends, and softer to the ear. For the audio thread: allocates nothing after `init`.
///
/// It is taken at the moments of the microphone's device and heard at those of the ear's.
package struct PlaybackTap: ~Copyable {
    /// 12 dB below what far ends hear: a person who talks beside it hears that it plays, and above all the far end.
    private static let earGain: Float = 0.25

    private var bridge: ClockBridge
    private let scratch: Workspace<Int16>
    private var ramp = GainRamp(gain: GainRamp.closed)
    private var isClosing = false

    package init(quantum: Int) {
        bridge = ClockBridge(quantum: quantum)
        scratch = Workspace(count: quantum, filler: 0)
    }

    /// Something of a file is on its way to the ear.
    package var isHeard: Bool { bridge.waiting > 0 }

    /// Nothing of the file is heard any more, since `close`.
    package var isClosed: Bool { isClosing && ramp.isSilent }

    /// Another file begins, gently.
    package mutating func begin() {
        bridge.clear()
        ramp = GainRamp(gain: GainRamp.closed)
        isClosing = false
    }

    /// The file ends within 5 ms of sound, wherever it is.
    package mutating func close() { isClosing = true }

    /// The next of the file, at the microphone's moment; silence where there is none.
    /// - Parameters:
    ///   - gain: Reached in 5 ms.
    ///   - others: What far ends hear besides the microphone.
    /// - Returns: How many samples were there.
    package mutating func send(
        _ count: Int, gain: Float, from samples: borrowing SPSCRing<Int16>, into others: inout Mixer
    ) -> Int {
        var there = 0
        while there < count, let sample = samples.pop() {
            scratch[there] = sample
            there += 1
        }
        for place in there..<count { scratch[place] = 0 }
        ramp.set(isClosing ? GainRamp.closed : gain)
        scratch.write(0..<count) { ramp.apply(to: &$0) }
        scratch.read(0..<count) { bridge.write($0) }
        scratch.read(0..<count) { others.add($0) }
        return there
    }

    /// Lends what was said last.
    package func sent(_ count: Int, _ body: (Span<Int16>) -> Void) { scratch.read(0..<count, body) }

    /// At the ear's moment.
    /// - Parameter gain: Of calls at this ear.
    package mutating func monitor(_ count: Int, gain: Float, into ear: inout Mixer) {
        scratch.write(0..<count) { bridge.read(into: &$0, gain: gain * Self.earGain) }
        scratch.read(0..<count) { ear.add($0) }
    }
}
