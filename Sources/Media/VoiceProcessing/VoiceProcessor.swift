import PhoneCore
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

/// Processes the microphone's sound on its way to the calls, as its route is configured. The loudspeaker's sound is the
/// reference.
///
/// Every route with processing has its own processor, so that a change to another route and back keeps what the
/// canceller learned. All are made in `init`; for the audio thread.
struct VoiceProcessors: ~Copyable {
    private let owned: [VoiceProcessor?]
    /// The same processors, indexed by `Route.number`.
    private let processors: [Borrowed<VoiceProcessor>?]
    /// Nil if no route cancels echo.
    private var reference: EchoReference?
    private let played: Workspace<Int16>
    /// The route whose microphone is used, and the index of its processor.
    private var current: (route: Route, number: Int)?

    init(settings: MediaSettings) {
        owned = Route.allCases.map { route in
            let processing = settings.devices[route]?.processing ?? VoiceProcessingSettings()
            return processing.isNeeded ? VoiceProcessor(processing) : nil
        }
        processors = owned.map { $0.map { Borrowed($0) } }
        if settings.devices.values.contains(where: \.processing.cancelsEcho) {
            reference = EchoReference(quantum: settings.quantum)
        }
        played = Workspace(count: settings.quantum, filler: 0)
    }

    /// Whether the lag between the devices must be known.
    var cancelsEcho: Bool { processor?.use { $0.cancelsEcho } ?? false }

    private var processor: Borrowed<VoiceProcessor>? { current.flatMap { processors[$0.number] } }

    /// Sets the route whose microphone is used from now on.
    mutating func turn(to route: Route) {
        guard route != current?.route else { return }
        rest()
        current = (route, Int(route.number))
    }

    /// Takes sound that goes to the loudspeaker.
    mutating func play(_ samples: Span<Int16>) { reference?.write(samples) }

    /// - Parameters:
    ///   - samples: the captured sound. Anything but a whole quantum passes unchanged.
    ///   - lag: nil while one of the devices is missing or does not run.
    mutating func clean(_ samples: inout MutableSpan<Int16>, _ lag: EchoReference.Lag?) {
        guard samples.count == played.count else { return rest() }
        let isKnown = find(lag)
        guard let processor else { return }
        played.read(played.all) { played in
            processor.use { $0.clean(&samples, beside: isKnown ? played : nil) }
        }
    }

    /// Writes the sound played for the last quantum to `played`. False if that is not known.
    private mutating func find(_ lag: EchoReference.Lag?) -> Bool {
        guard let lag else {
            reference?.interrupt()
            return false
        }
        return played.write(played.all) { reference?.read(into: &$0, lag) ?? false }
    }

    /// Pauses while no call needs the microphone.
    mutating func rest() {
        reference?.interrupt()
        processor?.use { $0.rest() }
        current = nil
    }
}

/// Detects from the loudspeaker's sound whether the far end speaks, or its echo may still be in the room.
///
/// Steady noise of the far end does not count. Cost: O(samples), no allocation; for the audio thread.
struct FarEndActivity: Sendable {
    /// The mean square below which nothing counts: -60 dB of full scale.
    private static let silence: Float = 1_074
    /// How far a voice is above the noise: 8 dB.
    private static let contrast: Float = 6
    /// The fastest growth of noise: 3 dB in a second, in frames of 20 ms.
    private static let growth: Float = 1.014
    /// How long a room echoes after the last word, in frames: 300 ms.
    private static let reverberation = 15

    private var noise = silence
    private var left = 0

    /// - Parameter played: one frame.
    /// - Returns: Whether the microphone may hear the far end's voice.
    mutating func take(_ played: Span<Int16>) -> Bool {
        var sum: Float = 0
        for place in played.indices { sum += Float(played[place]) * Float(played[place]) }
        let power = sum / Float(max(1, played.count))
        noise = max(Self.silence, min(power, noise * Self.growth))
        left = power > noise * Self.contrast ? Self.reverberation : max(0, left - 1)
        return left > 0
    }
}

/// The processing of a route's microphone. By default sound passes unchanged.
public struct VoiceProcessingSettings: Equatable, Sendable {
    public static let tails = 32...256

    /// Echo cancellation: removes the loudspeaker's sound from the microphone's.
    public var cancelsEcho = false
    /// Noise suppression: makes steady noise 15 dB quieter.
    public var suppressesNoise = false
    /// Automatic gain: makes quiet and loud voices about equally loud.
    public var levelsGain = false
    /// How long the room echoes, in milliseconds: `tails`. A longer tail costs more and is learned more slowly.
    public var tailMilliseconds = 128

    public init() {}

    /// All processing, for a loudspeaker and a microphone in one room.
    public static var everything: VoiceProcessingSettings {
        var all = VoiceProcessingSettings()
        (all.cancelsEcho, all.suppressesNoise, all.levelsGain) = (true, true, true)
        return all
    }

    var isNeeded: Bool { cancelsEcho || suppressesNoise || levelsGain }
}
