import PhoneCore
import SoundCore
import YAML

/// ALSA devices by route, and how tones sound.
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
                .table(of: .text("the name of a control", length: 1...44), to: .integer(in: 0...100), count: 1...16))
            mixer = (controls ?? []).reduce(into: [:]) { $0[$1.key] = $1.value }
            tail = try section.optional("tail", .duration(in: .milliseconds(32) ... .milliseconds(256)))
        }
    }

    let country: ToneCountry
    let period: Duration
    let devices: [Route: Device]
    let ringer: RingerSection?
    /// What far ends hear that are held; nil: nothing.
    let holdMusic: String?
    /// Nil: loudspeaker and microphone are tested on request only.
    let selfTest: SelfTestSection?

    /// The route of a call for which nobody chose one. A phone without a handset speaks by its loudspeaker.
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
            throw section.error("handset", "a phone needs at least a handset or a speaker")
        }
        self.devices = devices
        ringer = try RingerSection(from: &section)
        holdMusic = try section.optional("hold_music", .text("the path of a WAV file"))
        selfTest = try section.optional("self_test", .section())
        if let route = selfTest?.policy.route, devices[route] == nil {
            throw section.error("self_test", "route: the \(route.rawValue) has no device here")
        }
    }
}
