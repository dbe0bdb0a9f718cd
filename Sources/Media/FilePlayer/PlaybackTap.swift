import Base
import SoundCore

/// Mixes a file's sound into what the far ends hear and, softer, into the earpiece. For the audio thread: allocates
/// nothing after `init`.
///
/// It takes the file's sound on the capture clock and plays it at the earpiece on the playback clock.
package struct PlaybackTap: ~Copyable {
    /// 12 dB below the level for the far ends: the local user hears that the file plays, and hears the far end better.
    private static let earpieceGain: Float = 0.25

    private var bridge: ClockBridge
    private let scratch: Workspace<Int16>
    private var ramp = GainRamp(gain: GainRamp.closed)
    private var isClosing = false

    package init(quantum: Int) {
        bridge = ClockBridge(quantum: quantum)
        scratch = Workspace(count: quantum, filler: 0)
    }

    /// Sound of a file is on its way to the earpiece.
    package var isHeard: Bool { bridge.waiting > 0 }

    /// After `close`: the fade-out is complete.
    package var isClosed: Bool { isClosing && ramp.isSilent }

    /// Begins another file with a fade-in.
    package mutating func begin() {
        bridge.clear()
        ramp = GainRamp(gain: GainRamp.closed)
        isClosing = false
    }

    /// Fades the file out within 5 ms of sound, at any position.
    package mutating func close() { isClosing = true }

    /// Sends the next part of the file, on the capture clock. Missing sound becomes silence.
    /// - Parameters:
    ///   - gain: Reached in 5 ms.
    ///   - others: What far ends hear besides the microphone.
    /// - Returns: How many samples of the file were available.
    package mutating func send(
        _ count: Int, gain: Float, from samples: borrowing SPSCRing<Int16>, into others: inout Mixer
    ) -> Int {
        var there = 0
        while there < count, let sample = samples.pop() {
            scratch[there] = sample
            there += 1
        }
        for place in there..<count { scratch[place] = 0 }
        scratch.write(0..<count) { ramp.apply(isClosing ? GainRamp.closed : gain, to: &$0) }
        scratch.read(0..<count) { bridge.write($0) }
        scratch.read(0..<count) { others.add($0) }
        return there
    }

    /// Lends the samples of the last `send`.
    package func sent(_ count: Int, _ body: (Span<Int16>) -> Void) { scratch.read(0..<count, body) }

    /// Adds the file's sound for the earpiece, on the playback clock.
    /// - Parameter gain: The gain of calls at the earpiece.
    package mutating func monitor(_ count: Int, gain: Float, into mix: inout Mixer) {
        scratch.write(0..<count) { bridge.read(into: &$0, gain: gain * Self.earpieceGain) }
        scratch.read(0..<count) { mix.add($0) }
    }
}
