import CSpeexDSP
import SoundCore

/// Owns one libspeexdsp preprocessor at 48 kHz, which reduces residual echo and steady noise and levels the gain. It is
/// freed exactly once, because it cannot be copied.
///
/// Sound comes out one frame later than it went in. After `init` nothing allocates. For the audio thread.
@safe
struct SpeechEnhancer: ~Copyable {
    private let raw: OpaquePointer
    /// How fast the gain may rise and fall, in decibels a second: the library's defaults.
    private let speeds: (rise: Int32, fall: Int32)
    private var isHeld = false

    /// - Parameter frame: samples per frame; the same as of the echo canceller, if there is one.
    init(frame: Int, _ processing: VoiceProcessingSettings) {
        let made = unsafe speex_preprocess_state_init(Int32(frame), Int32(SoundFormat.sampleRate))
        guard let made = unsafe made else { preconditionFailure("no memory for noise suppression") }
        unsafe raw = made
        speeds = unsafe (
            Self.value(SPEEX_PREPROCESS_GET_AGC_INCREMENT, of: made),
            Self.value(SPEEX_PREPROCESS_GET_AGC_DECREMENT, of: made)
        )
        // While the local user speaks, residual echo is reduced only a little, because reducing it would harm that
        // speech.
        set(SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, -6)
        set(SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, processing.suppressesNoise ? -15 : 0)
        // Only builds of the library with fixed-point arithmetic reject this; they have no automatic gain.
        if processing.levelsGain { set(SPEEX_PREPROCESS_SET_AGC, 1) }
    }

    deinit { unsafe speex_preprocess_state_destroy(raw) }

    /// From now on this canceller's residual echo is reduced; nil: there is no echo. The canceller must live as long as
    /// it is followed.
    mutating func follow(_ canceller: borrowing EchoCanceller?) {
        switch canceller {
        case .some(let canceller):
            unsafe speex_preprocess_ctl(raw, SPEEX_PREPROCESS_SET_ECHO_STATE, UnsafeMutableRawPointer(canceller.raw))
        case nil:
            unsafe speex_preprocess_ctl(raw, SPEEX_PREPROCESS_SET_ECHO_STATE, nil)
        }
    }

    /// Whether the gain stays fixed. While only the far end speaks, the microphone picks up residual echo, and
    /// automatic gain would make it as loud as a voice.
    mutating func holdGain(_ isHeld: Bool) {
        guard isHeld != self.isHeld else { return }
        self.isHeld = isHeld
        set(SPEEX_PREPROCESS_SET_AGC_INCREMENT, isHeld ? 0 : speeds.rise)
        set(SPEEX_PREPROCESS_SET_AGC_DECREMENT, isHeld ? 0 : speeds.fall)
    }

    mutating func enhance(_ samples: inout MutableSpan<Int16>) {
        _ = unsafe samples.withUnsafeMutableBufferPointer { unsafe speex_preprocess_run(raw, $0.baseAddress) }
    }

    private static func value(_ request: Int32, of raw: OpaquePointer) -> Int32 {
        var value: Int32 = 0
        unsafe speex_preprocess_ctl(raw, request, &value)
        return value
    }

    private func set(_ request: Int32, _ value: Int32) {
        var value = value
        unsafe speex_preprocess_ctl(raw, request, &value)
    }
}
