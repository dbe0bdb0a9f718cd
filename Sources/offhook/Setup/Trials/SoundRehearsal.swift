import Media
import PhoneCore
import SoundCore

/// Plays a tone on a route, records three seconds, and plays them back. Blocks for seven seconds.
struct SoundRehearsal {
    enum Part { case tone, speech }

    private static let tone = SoundFormat.sampleRate
    private static let speech = 3 * SoundFormat.sampleRate

    let settings: MediaSettings
    let route: Route
    var parts: Set<Part> = [.tone, .speech]
    /// Called between quanta: true ends the rehearsal early.
    var isStopped: () -> Bool = { false }
    /// Shows each step to a person. Must not wait, because the devices are running.
    let tell: (String) throws(CommandError) -> Void

    /// Starts the devices once for all parts, because a running microphone cannot be started again.
    func run() throws -> SoundVerdict {
        let devices = try SoundTrial(settings, route: route)
        var generator = ToneGenerator()
        generator.start(settings.country.plan.dial)
        var speech: [Int16] = []
        var toned = parts.contains(.tone) ? 0 : Self.tone
        var played = parts.contains(.speech) ? 0 : Self.speech
        var failure: CommandError?
        func show(_ text: String) {
            do throws(CommandError) { try tell(text) } catch { failure = error }
        }
        if parts.contains(.tone) { show("Playing a tone in the \(route.rawValue) …") }
        try devices.run { captured, output in
            if toned < Self.tone {
                generator.render(into: &output)
                toned += captured.count
                if toned >= Self.tone, parts.contains(.speech) { show("Speak now, for three seconds …") }
            } else if speech.count < Self.speech {
                for index in output.indices { output[index] = 0 }
                speech += captured
                if speech.count >= Self.speech {
                    show(SoundVerdict(speech).sentence + " Playing the recording:")
                }
            } else {
                for index in output.indices {
                    output[index] = played < speech.count ? speech[played] : 0
                    played += 1
                }
            }
            return (toned < Self.tone || played < Self.speech) && failure == nil && !isStopped()
        }
        if let failure { throw failure }
        return SoundVerdict(speech)
    }

    /// Opens the devices without a sound, and describes them.
    static func open(_ settings: MediaSettings, _ route: Route) throws(MediaError) -> String {
        try SoundTrial(settings, route: route).sizes
    }
}

/// The verdict on three seconds of a microphone's signal.
package enum SoundVerdict: Equatable, Sendable {
    case heard
    case faint
    case silence
    case tooLoud

    /// RMS in dBFS. A muted microphone gives less, one in a quiet room more.
    private static let leastOfAll = -70.0
    /// Speech into a handset is louder than this.
    private static let leastOfSpeech = -45.0
    /// The peak at which samples clip.
    private static let full = -0.2

    /// - Parameter samples: At `SoundFormat.sampleRate`.
    package init(_ samples: [Int16]) {
        let window = SoundFormat.sampleRate / 5
        let levels = stride(from: 0, to: samples.count, by: window).map { start in
            Level(of: samples[start..<min(start + window, samples.count)].span)
        }
        let rms = levels.map(\.rms).max() ?? Decibels.floor
        let peak = levels.map(\.peak).max() ?? Decibels.floor
        self =
            if rms < Self.leastOfAll {
                .silence
            } else if peak > Self.full {
                .tooLoud
            } else if rms < Self.leastOfSpeech {
                .faint
            } else {
                .heard
            }
    }

    package var isGood: Bool { self == .heard }

    package var sentence: String {
        switch self {
        case .heard: "The microphone works."
        case .faint: "Very quiet: speak nearer to the microphone, or raise its level (alsamixer)."
        case .silence: "Silence: unmute the microphone (alsamixer), or choose another one (offhook audio list)."
        case .tooLoud: "Too loud, so the signal clips: lower the microphone's level (alsamixer)."
        }
    }
}
