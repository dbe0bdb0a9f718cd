import SoundCore

/// Processes the sound of one route's microphone: first echo, then residual echo, noise and gain.
///
/// It works in frames of 20 ms: with shorter frames the library's canceller unlearns the room whenever both ends speak.
/// So with quanta of 10 ms, sound comes out 10 ms later than it went in (15 ms with 5 ms). Enhancement adds 20 ms.
/// Without a known reference nothing is cancelled. If nothing is cancelled and neither noise suppression nor gain is
/// configured, no bit changes. What the canceller learned of the room is kept from call to call. Only `init` allocates;
/// confined to the audio thread.
package final class VoiceProcessor {
    package static let frame = 20 * SoundFormat.samplesPerMillisecond

    private var canceller: EchoCanceller?
    private var enhancer: SpeechEnhancer?
    /// Whether noise suppression or gain is configured, which work with or without an echo.
    private let enhancesAlways: Bool
    /// `heard` and `played` are the frame being filled, up to `filled`. `cleaned` is the previous frame, whose rest
    /// still goes out.
    private let heard = Workspace<Int16>(count: VoiceProcessor.frame, filler: 0)
    private let played = Workspace<Int16>(count: VoiceProcessor.frame, filler: 0)
    private let cleaned = Workspace<Int16>(count: VoiceProcessor.frame, filler: 0)
    private var filled = 0
    /// Whether all of the frame being filled has a reference so far.
    private var hasReference = true
    private var isFollowing = false
    private var farEnd = FarEndActivity()
    private var isResting = true

    package init(_ processing: VoiceProcessingSettings) {
        if processing.cancelsEcho { canceller = EchoCanceller(frame: Self.frame, tail: processing.tailMilliseconds) }
        if processing.isNeeded { enhancer = SpeechEnhancer(frame: Self.frame, processing) }
        enhancesAlways = processing.suppressesNoise || processing.levelsGain
    }

    package var cancelsEcho: Bool { canceller != nil }

    /// - Parameters:
    ///   - samples: captured sound, in quanta that make whole frames; overwritten with earlier sound, cleaned.
    ///   - played: the loudspeaker's sound that the microphone may pick up now or later; nil if it is not known.
    @_lifetime(samples: copy samples)
    package func clean(_ samples: inout MutableSpan<Int16>, beside played: Span<Int16>?) {
        precondition(filled + samples.count <= Self.frame, "frames are made of whole quanta")
        guard enhancer != nil else { return }
        isResting = false
        for place in samples.indices { heard[filled + place] = samples[place] }
        if let played {
            for place in played.indices { self.played[filled + place] = played[place] }
        } else {
            hasReference = false
        }
        filled += samples.count
        if filled == Self.frame { cleanFrame() }
        for place in samples.indices { samples[place] = cleaned[filled + place] }
    }

    /// Drops the sound still in here, because no call needs it. What the canceller learned of the room is kept.
    package func rest() {
        guard !isResting else { return }
        isResting = true
        (filled, hasReference) = (0, true)
        for place in cleaned.all { cleaned[place] = 0 }
        cleaned.write(cleaned.all) { enhancer?.enhance(&$0) }
        for place in cleaned.all { cleaned[place] = 0 }
    }

    private func cleanFrame() {
        let cancels = cancelsEcho && hasReference
        if cancels != isFollowing { follow(cancels) }
        cleaned.write(cleaned.all) { output in
            heard.read(heard.all) { heard in
                guard cancels else {
                    for place in heard.indices { output[place] = heard[place] }
                    return
                }
                played.read(played.all) { canceller?.cancel(heard, playing: $0, into: &output) }
            }
            let isFarEndHeard = cancels && played.read(played.all) { farEnd.take($0) }
            enhancer?.holdGain(isFarEndHeard)
            if cancels || enhancesAlways { enhancer?.enhance(&output) }
        }
        (filled, hasReference) = (0, true)
    }

    private func follow(_ isFollowing: Bool) {
        self.isFollowing = isFollowing
        if isFollowing { enhancer?.follow(canceller) } else { enhancer?.follow(nil) }
    }
}
