import PhoneCore
import SoundCore

/// What Media needs to know before it starts. Every value has the default of the specification.
public struct MediaSettings: Equatable, Sendable {
    /// The ALSA names of one route. Names as in `hw:CARD=id` or the configuration, never an index.
    public struct Device: Equatable, Sendable {
        public var capture: String
        public var playback: String
        /// What is done to the microphone.
        public var processing: VoiceProcessingSettings
        /// Where the card's own controls stand while the device is open: percent of their range, by their names.
        public var mixer: [String: Int]

        public init(
            capture: String, playback: String, processing: VoiceProcessingSettings = VoiceProcessingSettings(),
            mixer: [String: Int] = [:]
        ) {
            self.capture = capture
            self.playback = playback
            self.processing = processing
            self.mixer = mixer
        }
    }

    /// What rings besides the panel's bell.
    public struct Ringer: Equatable, Sendable {
        /// ALSA's name, as those of routes.
        public var device: String
        /// WAV files of up to 30 s, played over and over: the usual ring's, where it is not generated, and those of rings
        /// with names.
        public var file: String?
        public var files: [String: String] = [:]

        public init(device: String) { self.device = device }
    }

    /// Routes that are missing here have no sound; a call on one lives in silence.
    public var devices: [Route: Device]
    /// Nil: nothing rings but the panel's bell.
    public var ringer: Ringer?
    /// How often the device asks for sound: 5 or 10 ms.
    public var periodMilliseconds = 10
    /// Whose tones are heard.
    public var country = ToneCountry.us
    /// Numeric address on which voice is received.
    public var bindAddress = "0.0.0.0"
    /// Voice takes an even port of this range, control the odd one above it.
    public var ports: ClosedRange<UInt16> = 16_384...32_767
    /// Of Opus: 0 (least work) to 10 (best sound).
    public var opusComplexity = 5
    /// Bits a second of our voice in Opus, unless the far end accepts only fewer. 6,000 to 128,000.
    public var opusBitrate = 32_000
    /// Bounds of the jitter buffer's delay.
    public var shortestBuffer = Duration.milliseconds(5)
    public var longestBuffer = Duration.milliseconds(500)
    /// How often a device that is missing is tried, and where cards come, which has it tried at once.
    public var retryInterval = Duration.seconds(1)
    public var cardFolder = "/dev/snd"
    /// How long a device stays open after its last sound.
    public var linger = Duration.seconds(5)
    /// Packets that stay away this long are reported as silence.
    public var silenceAfter = Duration.seconds(5)

    /// Nil: no call is recorded.
    public var recording: RecordingSettings?
    /// Below which files may be played into calls. Nil: none.
    public var playingFolder: String?

    public init(devices: [Route: Device]) { self.devices = devices }

    /// Calls that may have sockets at a time.
    static let callLimit = 8

    /// The route whose device the ringer has. A device is opened once: then what rings is mixed into what that route plays.
    var ringerRoute: Route? {
        Route.allCases.first { route in ringer.map { devices[route]?.playback == $0.device } ?? false }
    }

    /// Samples that are captured and played at a time.
    var quantum: Int { periodMilliseconds * SoundFormat.samplesPerMillisecond }

    /// Our own mistakes, found where they are made and not on a real-time thread.
    func check() {
        precondition(periodMilliseconds == 5 || periodMilliseconds == 10, "a period is 5 or 10 ms")
        precondition((0...10).contains(opusComplexity), "Opus knows complexities 0 to 10")
        precondition((6_000...128_000).contains(opusBitrate), "6 to 128 kbit/s are voice")
        recording?.check()
        precondition(playingFolder != "", "a folder has a name")
        precondition(ports.lowerBound >= 1_024 && ports.count >= 2, "a call needs two ports")
        precondition(
            devices.values.allSatisfy { VoiceProcessingSettings.tails.contains($0.processing.tailMilliseconds) },
            "a tail of 32 to 256 ms")
        precondition(
            shortestBuffer <= longestBuffer && longestBuffer <= .seconds(1), "the buffer's bounds are in order")
    }
}
