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
