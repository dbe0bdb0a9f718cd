import PhoneCore
import RTPCore
import SoundCore

/// The settings that Media needs before it starts, with their defaults.
public struct MediaSettings: Equatable, Sendable {
    /// The ALSA device names of one route, such as `hw:CARD=id` or a name of ALSA's configuration, never an index.
    public struct Device: Equatable, Sendable {
        public var capture: String
        public var playback: String
        /// Processing of the microphone's sound.
        public var processing: VoiceProcessingSettings
        /// Levels of the card's own controls while the device is open: percent of their range, by name.
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

    /// The ringer, which rings in addition to the panel's bell.
    public struct Ringer: Equatable, Sendable {
        /// ALSA device name, written as for routes.
        public var device: String
        /// WAV files of up to 30 s, which repeat. `file` is for the usual ring; without it the ring is generated.
        /// `files` are for rings with names.
        public var file: String?
        public var files: [String: String] = [:]

        public init(device: String) { self.device = device }
    }

    /// How long this phone uses one certificate in DTLS handshakes. Far ends recognize the phone by it.
    public enum CertificateLife: String, CaseIterable, Sendable { case phone, call }

    /// The devices of each route. A route without an entry has no sound, and a call on it is silent.
    public var devices: [Route: Device]
    /// The route that has the voice until the phone's policy orders another one.
    public var firstRoute = Route.handset
    /// Nil: only the panel's bell rings.
    public var ringer: Ringer?
    /// Period of the sound device: 5 or 10 ms.
    public var periodMilliseconds = 10
    /// The country whose call progress tones the phone plays.
    public var country = ToneCountry.us
    /// Numeric address on which voice is received.
    public var bindAddress = "0.0.0.0"
    /// Which certificate DTLS handshakes use.
    public var certificate = CertificateLife.phone
    /// How calls find a path to the far end, by account.
    public var ice: [AccountID: ICESettings] = [:]
    /// Ports for media: RTP takes an even port of this range, RTCP the odd port above it.
    public var ports: ClosedRange<UInt16> = 16_384...32_767
    /// Complexity of Opus, for encoding and concealing: 0 (least work) to 10 (best sound).
    public var opusComplexity = 5
    /// Bit rate of the Opus voice that we send, in bit/s: 6,000 to 128,000. The far end may ask for less.
    public var opusBitrate = Bitrates.usualVoice
    /// Bounds of the jitter buffer's delay.
    public var shortestBuffer = JitterBuffer.Configuration.usualDelays.lowerBound
    public var longestBuffer = JitterBuffer.Configuration.usualDelays.upperBound
    /// The interval at which Media tries a missing device again, and the folder in which sound cards appear. When the
    /// folder changes, Media tries missing devices at once.
    public var retryInterval = Duration.seconds(1)
    public var cardFolder = "/dev/snd"
    /// How long a device stays open after its last sound.
    public var linger = Duration.seconds(5)
    /// The time without packets after which Media reports silence.
    public var silenceAfter = Duration.seconds(5)

    /// The WAV file of up to 3 minutes that held far ends hear, over and over. Nil: they hear nothing.
    public var holdMusic: String?
    /// Nil: no call can be recorded.
    public var recording: RecordingSettings?
    /// The folder below which files may be played into calls. Nil: no file may be played.
    public var playingFolder: String?

    /// The groups whose pages the phone plays. The first has the highest priority.
    public var pages: [PageGroup] = []
    /// The route on which pages play.
    public var pageRoute = Route.speaker
    /// A page ends after this time without packets.
    public var pageSilence = Duration.seconds(1)

    public init(devices: [Route: Device]) { self.devices = devices }

    /// Limit of calls that have sockets at the same time.
    static let callLimit = 8

    /// The route that plays to the ringer's device. A device is opened only once, so that route then mixes the ring
    /// into its output.
    var ringerRoute: Route? {
        Route.allCases.first { route in ringer.map { devices[route]?.playback == $0.device } ?? false }
    }

    /// Samples per period, for capture and playback.
    var quantum: Int { periodMilliseconds * SoundFormat.samplesPerMillisecond }

    /// Checks the settings early, so that a programming error does not surface on a real-time thread.
    func check() {
        precondition(periodMilliseconds == 5 || periodMilliseconds == 10, "a period is 5 or 10 ms")
        precondition((0...10).contains(opusComplexity), "Opus has complexities 0 to 10")
        precondition(Bitrates.voice.contains(opusBitrate), "6 to 128 kbit/s are voice")
        recording?.check()
        precondition(playingFolder != "", "a folder has a name")
        precondition(pages.count <= PageGroup.limit, "at most \(PageGroup.limit) groups of pages")
        for group in pages { group.check() }
        precondition(ports.lowerBound >= 1_024 && ports.count >= 2, "a call needs two ports")
        precondition(
            devices.values.allSatisfy { VoiceProcessingSettings.tails.contains($0.processing.tailMilliseconds) },
            "a tail of 32 to 256 ms")
        precondition(
            shortestBuffer <= longestBuffer && longestBuffer <= .seconds(1), "the buffer's bounds are in order")
    }
}
