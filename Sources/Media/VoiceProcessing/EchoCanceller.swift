import CSpeexDSP
import SoundCore

/// Owns one libspeexdsp echo canceller at 48 kHz. It is freed exactly once, because it cannot be copied.
///
/// It learns how sound travels from the loudspeaker to the microphone, and subtracts that part of the played sound from
/// the captured sound. After `init` nothing allocates, so the audio thread may use it. The library would write to
/// stderr when its filter adds echo for long, or at impossible levels. So this type detects both before the library
/// does.
@safe
struct EchoCanceller: ~Copyable {
    /// The canceller is reset after it made this many frames worse. The library would wait for 50.
    private static let toleratedFailures = 25
    /// The limit of a frame's mean square, weighted as the library weights it. No real sound exceeds it (a square wave
    /// of full scale at 20 kHz). At twice the limit the library gives up.
    private static let loudest: Float = 1_000_000_000
    /// The library's weight of the previous sample.
    private static let emphasis: Float = 0.9

    let raw: OpaquePointer
    private let frame: Int
    private var failures = 0

    /// - Parameters:
    ///   - frame: samples per frame, captured and played.
    ///   - tail: how long the room echoes, in milliseconds; longer than a frame.
    init(frame: Int, tail: Int) {
        precondition(tail * SoundFormat.samplesPerMillisecond > frame, "a tail is longer than a frame")
        let made = unsafe speex_echo_state_init(Int32(frame), Int32(tail * SoundFormat.samplesPerMillisecond))
        guard let made = unsafe made else { preconditionFailure("no memory for an echo canceller") }
        unsafe raw = made
        self.frame = frame
        var rate = Int32(SoundFormat.sampleRate)
        let result = unsafe speex_echo_ctl(raw, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
        precondition(result == 0, "libspeexdsp supports the sampling rate")
    }

    deinit { unsafe speex_echo_state_destroy(raw) }

    /// - Parameters:
    ///   - heard: the captured sound, one frame.
    ///   - played: the sound from the loudspeaker that this frame may contain, played at most one tail earlier.
    ///   - output: the captured sound without the echo; unchanged if the levels are impossible.
    @_lifetime(output: copy output)
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

    /// Does the library's own test, with half of its limit.
    private mutating func judge(before: Float, after: Float) {
        let isWorse = after / 4 > before + Float(frame) * 312
        failures = isWorse ? failures + 1 : 0
        guard failures >= Self.toleratedFailures else { return }
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
