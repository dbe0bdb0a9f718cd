import Media
import PhoneCore
import SoundCore

/// Plays a tone on a route, records three seconds, and plays them back. Blocks for eight seconds.
struct SoundRehearsal {
    private static let toneSeconds = 1
    private static let speechSeconds = 3

    let settings: MediaSettings
    let route: Route
    /// Shows a person what happens.
    let tell: (String) throws -> Void

    func run() throws -> SoundVerdict {
        let devices = try SoundTrial(settings, route: route)
        try tell("A tone in the \(route.rawValue) …")
        try play(on: devices)
        try tell("Speak now, for \(Self.speechSeconds) seconds …")
        let speech = try record(on: devices)
        let verdict = SoundVerdict(speech)
        try tell(verdict.sentence + " This is what I heard:")
        try play(speech, on: devices)
        return verdict
    }

    /// Whether the devices open, without a sound.
    static func open(_ settings: MediaSettings, _ route: Route) throws(MediaError) -> String {
        try SoundTrial(settings, route: route).sizes
    }

    private func play(on devices: SoundTrial) throws(MediaError) {
        var generator = ToneGenerator()
        generator.start(settings.country.plan.dial)
        var left = Self.toneSeconds * SoundFormat.sampleRate
        try devices.run { captured, played in
            generator.render(into: &played)
            left -= captured.count
            return left > 0
        }
    }

    private func record(on devices: SoundTrial) throws(MediaError) -> [Int16] {
        var heard: [Int16] = []
        try devices.run { captured, played in
            for index in played.indices { played[index] = 0 }
            heard += captured
            return heard.count < Self.speechSeconds * SoundFormat.sampleRate
        }
        return heard
    }

    private func play(_ samples: [Int16], on devices: SoundTrial) throws(MediaError) {
        var next = 0
        try devices.run { _, played in
            for index in played.indices {
                played[index] = next < samples.count ? samples[next] : 0
                next += 1
            }
            return next < samples.count
        }
    }
}
