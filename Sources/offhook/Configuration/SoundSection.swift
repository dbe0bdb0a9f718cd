import Base
import Media
import PhoneCore
import SoundCore
import YAML

/// ALSA devices by route, and the country whose tones the phone plays.
struct SoundSection: YAMLReadable {
    struct Device: Sendable {
        let capture: String
        let playback: String
        /// The processing of the microphone's signal.
        let processing: VoiceProcessingSettings
        /// Levels in percent, by the names of the card's controls.
        let mixer: [String: Int]

        /// By default a loudspeaker in a room gets all processing. Devices at the ear get none, so that their sound
        /// passes unchanged and without delay.
        fileprivate init(from section: inout YAMLSection, on route: Route) throws(YAMLError) {
            let isLoud = route == .speaker
            var processing = VoiceProcessingSettings()
            capture = try section.required("capture", .text("an ALSA device name", length: 1...128))
            playback = try section.required("playback", .text("an ALSA device name", length: 1...128))
            processing.cancelsEcho = try section.optional("echo", .bool(), usual: isLoud)
            processing.suppressesNoise = try section.optional("noise", .bool(), usual: isLoud)
            processing.levelsGain = try section.optional("gain", .bool(), usual: isLoud)
            let controls = try section.optional(
                "mixer",
                .table(
                    of: .text("the name of a mixer control", length: 1...44), to: .integer(in: 0...100), count: 1...16))
            mixer = (controls ?? []).reduce(into: [:]) { $0[$1.key] = $1.value }
            let tail = try section.optional(
                "tail", .duration(in: .milliseconds(32) ... .milliseconds(256)),
                usual: .milliseconds(processing.tailMilliseconds))
            processing.tailMilliseconds = Int(tail.milliseconds)
            self.processing = processing
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
        country = try section.optional("country", .choice(ToneCountry.allCases.map { ($0.rawValue, $0) }), usual: .us)
        period =
            try section.optional(
                "period", .choice(["5 ms": .milliseconds(5), "10 ms": .milliseconds(10)]), usual: .milliseconds(10))
        var devices: [Route: Device] = [:]
        for route in Route.allCases {
            let device = YAMLShape.section { section throws(YAMLError) in try Device(from: &section, on: route) }
            devices[route] = try section.optional(route.rawValue, device)
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

/// The ringer, which sounds in addition to the panel's bell. Its keys are in the section `sound`.
struct RingerSection {
    let settings: MediaSettings.Ringer

    /// Nil if no ringer is configured.
    init?(from section: inout YAMLSection) throws(YAMLError) {
        let device = try section.optional("ringer", .text("an ALSA device name", length: 1...128))
        let file = try section.optional("ring", .text("generated, or the path of a WAV file"))
        let files = try section.optional("rings", .table(of: .ringName(), to: .text("a path"), count: 0...8))
        guard let device else {
            for (key, isGiven) in [("ring", file != nil), ("rings", files != nil)] where isGiven {
                throw section.error(key, "needs sound.ringer, the device to play it")
            }
            return nil
        }
        var settings = MediaSettings.Ringer(device: device)
        settings.file = file == "generated" ? nil : file
        settings.files = Dictionary(uniqueKeysWithValues: (files ?? []).map { ($0.key, $0.value) })
        self.settings = settings
    }
}

/// When the phone tests automatically whether its microphone hears its loudspeaker. Without this section it never does.
struct SelfTestSection: YAMLReadable {
    let policy: SoundTestPolicy

    init(from section: inout YAMLSection) throws(YAMLError) {
        let route = try section.optional("route", .choice(), usual: SoundTestPolicy.usualRoute)
        guard route != .handset else {
            throw section.error(
                "route", "a handset in its cradle cannot hear its own earpiece; use speaker, headset or bluetooth")
        }
        let every = try section.required("every", .duration(in: .seconds(60) ... .seconds(30 * 86_400)))
        let from = try section.optional("from", .minuteOfDay())
        let to = try section.optional("to", .minuteOfDay())
        guard (from == nil) == (to == nil) else {
            throw section.error(from == nil ? "to" : "from", "from and to must be given together")
        }
        var policy = SoundTestPolicy(route: route, every: every)
        if let from, let to { policy.hours = .init(from: from, to: to) }
        self.policy = policy
    }
}
