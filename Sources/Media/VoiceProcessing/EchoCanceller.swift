import CSpeexDSP
import SoundCore

/// Owns one libspeexdsp echo canceller at 48 kHz. Freed exactly once: it cannot be copied.
///
/// It learns how sound gets from the loudspeaker to the microphone, and takes that much of what is played out of what
/// is heard. After `init` nothing allocates. For the audio thread: the library would write to stderr when its filter
/// adds echo for long, or at impossible levels, so both are noticed here before it does.
@safe
struct EchoCanceller: ~Copyable {
    /// Frames in which it made things worse until it begins anew; the library waits for 50.
    private static let patience = 25
    /// Of a frame, weighted as the library weighs it: mean squares above this are no sound (a square wave of full scale
    /// at 20 kHz), and make the library give up at twice of it.
    private static let loudest: Float = 1_000_000_000
    /// The library's weight of the sample before.
    private static let emphasis: Float = 0.9

    let raw: OpaquePointer
    private let frame: Int
    private var failures = 0

    /// - Parameters:
    ///   - frame: samples that are heard, and played, at a time.
    ///   - tail: milliseconds that the room echoes, more than a frame.
    init(frame: Int, tail: Int) {
        precondition(tail * SoundFormat.samplesPerMillisecond > frame, "a tail is longer than a frame")
        let made = unsafe speex_echo_state_init(Int32(frame), Int32(tail * SoundFormat.samplesPerMillisecond))
        guard let made = unsafe made else { preconditionFailure("no memory for an echo canceller") }
        unsafe raw = made
        self.frame = frame
        var rate = Int32(SoundFormat.sampleRate)
        let result = unsafe speex_echo_ctl(raw, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
        precondition(result == 0, "libspeexdsp knows the sampling rate")
    }

    deinit { unsafe speex_echo_state_destroy(raw) }

    /// - Parameters:
    ///   - heard: what the microphone heard, a frame.
    ///   - played: what the loudspeaker played, at most the tail before it.
    ///   - output: what is left; what was heard, if these are no levels of sound.
    mutating func cancel(_ heard: Span<Int16>, playing played: Span<Int16>, into output: inout MutableSpan<Int16>) {
        precondition(heard.count == frame && played.count == frame && output.count == frame, "whole frames")
        let before = Self.energy(heard)
        guard max(before, Self.energy(played)) < Self.loudest * Float(frame) else {
            for place in heard.indices { output[place] = heard[place] }
            return
        }
        unsafe heard.withUnsafeBufferPointer { heard in
            unsafe played.withUnsafeBufferPointer { played in
                unsafe output.withUnsafeMutableBufferPointer { output in
                    unsafe speex_echo_cancellation(raw, heard.baseAddress, played.baseAddress, output.baseAddress)
                }
            }
        }
        judge(before: before, after: Self.energy(output.span))
    }

    /// The library's own test, at half of its patience.
    private mutating func judge(before: Float, after: Float) {
        let isWorse = after / 4 > before + Float(frame) * 312
        failures = isWorse ? failures + 1 : 0
        guard failures >= Self.patience else { return }
        failures = 0
        unsafe speex_echo_state_reset(raw)
    }

    private static func energy(_ samples: Span<Int16>) -> Float {
        var (sum, previous): (Float, Float) = (0, 0)
        for place in samples.indices {
            let sample = Float(samples[place])
            let step = sample - emphasis * previous
            sum += step * step
            previous = sample
        }
        return sum
    }
}
