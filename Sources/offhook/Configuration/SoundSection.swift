import PhoneCore
import SoundCore
import YAML

/// ALSA devices by route, and the country whose tones the phone plays.
struct SoundSection: YAMLReadable {
    struct Device: YAMLReadable {
        let capture: String
        let playback: String
        /// The processing of the microphone's signal; nil: the default.
        let echo: Bool?
        let noise: Bool?
        let gain: Bool?
        let tail: Duration?
        /// Levels in percent, by the names of the card's controls.
        let mixer: [String: Int]

        init(from section: inout YAMLSection) throws(YAMLError) {
            capture = try section.required("capture", .text("an ALSA device name", length: 1...128))
            playback = try section.required("playback", .text("an ALSA device name", length: 1...128))
            echo = try section.optional("echo", .bool())
            noise = try section.optional("noise", .bool())
            gain = try section.optional("gain", .bool())
            let controls = try section.optional(
                "mixer",
                .table(
                    of: .text("the name of a mixer control", length: 1...44), to: .integer(in: 0...100), count: 1...16))
            mixer = (controls ?? []).reduce(into: [:]) { $0[$1.key] = $1.value }
            tail = try section.optional("tail", .duration(in: .milliseconds(32) ... .milliseconds(256)))
        }
    }

    let country: ToneCountry
    let period: Duration
    let devices: [Route: Device]
    let ringer: RingerSection?
    /// The music for far ends on hold; nil: silence.
    let holdMusic: String?
    /// Nil: the phone tests loudspeaker and microphone only on request.
    let selfTest: SelfTestSection?

    /// The route of a call when nobody has chosen one. A phone without a handset uses its loudspeaker.
    var defaultRoute: Route { devices[.handset] == nil ? .speaker : .handset }

    init(from section: inout YAMLSection) throws(YAMLError) {
        country = try section.optional("country", .choice(ToneCountry.allCases.map { ($0.rawValue, $0) })) ?? .us
        period =
            try section.optional("period", .choice(["5 ms": .milliseconds(5), "10 ms": .milliseconds(10)]))
            ?? .milliseconds(10)
        var devices: [Route: Device] = [:]
        for route in Route.allCases {
            devices[route] = try section.optional(route.rawValue, .section())
        }
        guard devices[.handset] != nil || devices[.speaker] != nil else {
            throw section.error("handset", "a phone needs at least sound.handset or sound.speaker")
        }
        self.devices = devices
        ringer = try RingerSection(from: &section)
        holdMusic = try section.optional("hold_music", .text("the path of a WAV file"))
        selfTest = try section.optional("self_test", .section())
        if let route = selfTest?.policy.route, devices[route] == nil {
            throw section.error("self_test", "route: sound.\(route.rawValue) is missing")
        }
    }
}
