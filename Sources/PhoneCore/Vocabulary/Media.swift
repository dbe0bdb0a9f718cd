/// A tone that a person hears, by meaning. The country decides its sound.
public enum Tone: String, CaseIterable, Hashable, Codable, Sendable {
    case dial
    /// The dial tone while messages wait.
    case stutterDial
    case ringback, busy, congestion, callWaiting, specialInformation, howler
}

/// The kinds of volume.
public enum VolumeKind: String, CaseIterable, Hashable, Codable, Sendable { case call, ring }

/// Measured voice quality of a call. Nil means that there is no data.
public struct VoiceQuality: Equatable, Codable, Sendable {
    /// Mean opinion score by the E-model, 1...4.5.
    public var opinionScore: Double?
    public var jitterMilliseconds: Double?
    public var roundTripMilliseconds: Double?
    public var lossPercent: Double?
    public var concealedPercent: Double?
    public var bufferMilliseconds: Double?
    /// The mean opinion score of our voice that the far end reports, 1...5.
    public var farOpinionScore: Double?

    public init(
        opinionScore: Double? = nil, jitterMilliseconds: Double? = nil, roundTripMilliseconds: Double? = nil,
        lossPercent: Double? = nil, concealedPercent: Double? = nil, bufferMilliseconds: Double? = nil,
        farOpinionScore: Double? = nil
    ) {
        self.opinionScore = opinionScore
        self.jitterMilliseconds = jitterMilliseconds
        self.roundTripMilliseconds = roundTripMilliseconds
        self.lossPercent = lossPercent
        self.concealedPercent = concealedPercent
        self.bufferMilliseconds = bufferMilliseconds
        self.farOpinionScore = farOpinionScore
    }
}

extension VoiceQuality {
    public enum Rating: String, CaseIterable, Codable, Sendable { case good, fair, poor, unknown }

    /// The score as a rating for a person. Without a score, it is unknown.
    public var rating: Rating {
        guard let opinionScore, !opinionScore.isNaN else { return .unknown }
        if opinionScore >= 4.0 { return .good }
        return opinionScore >= 3.5 ? .fair : .poor
    }
}

public enum MediaEvent: Equatable, Codable, Sendable {
    /// The call's sockets are bound, and its candidates are gathered, except those that follow as `candidates`.
    case opened(CallID, MediaEndpoint)
    /// Further candidates of the call's sockets, in the syntax of RFC 8839 §5.1. They follow an incomplete `opened`.
    /// - Parameter isLast: Whether there will be no more.
    case candidates(CallID, [String], isLast: Bool)
    /// The candidates of the call's sockets are these, in answer to `gather`.
    case gathered(CallID, MediaEndpoint)
    /// The path that ICE found for the call is gone, or the far end has not answered on it for a while. The phone
    /// should look for another one.
    case pathDoubted(CallID)
    /// Codec, keys and path are set up. Voice may be turned on.
    case ready(CallID)
    /// The call can have no (more) media. The text is for people.
    case failed(CallID, String)
    /// The far end has shown this fingerprint in the call's handshake.
    case keyShown(CallID, ShownFingerprint)
    /// The first voice packet was authenticated and queued for playout.
    case firstVoice(CallID)
    /// The last element of a digit sequence was sent.
    case dtmfSent(CallID)
    case dtmfReceived(CallID, DTMFSymbol)
    /// Nothing has arrived for 5 s; `heard` follows when packets arrive again.
    case silent(CallID)
    case heard(CallID)
    /// The kernel has sent none of the call's packets for a second, for the reason in the text; `sendingResumed` follows
    /// when it sends them again.
    case sendingFailed(CallID, String)
    case sendingResumed(CallID)
    case quality(CallID, VoiceQuality)
    /// The call is being recorded into a file of this name.
    case recordingStarted(CallID, file: String)
    /// Sent once for each call that was to be recorded. Nothing more is written.
    case recordingEnded(CallID, RecordingEnd)
    /// The playback with this number is heard.
    case playbackStarted(UInt32)
    /// Sent once for each playback that was ordered, unless an order that replaces or stops it came first.
    case playbackEnded(UInt32, PlaybackEnd)
    /// A page began in the group with this number, from 1, or is over: no packets have come for a while.
    case pageStarted(UInt8)
    case pageEnded(UInt8)
    /// The page to the group with this number cannot be sent. The text is for people.
    case pageUnsent(UInt8, String)
    /// The result of the test with this number. Sent once for each test, unless an order ended it first.
    case soundTested(UInt32, SoundTestReading)
    /// A sound device is missing, or is there again. The call continues in silence. A headset or Bluetooth device is also
    /// found when it comes.
    case deviceLost(Route, String)
    case deviceFound(Route)
    /// A headset or Bluetooth device is there, and may have come before the phone was in use.
    case devicePresent(Route)
    /// A headset or Bluetooth device that had no voice went away.
    case deviceAbsent(Route)
    /// The ringer's own device is missing, or is there again. The bell rings without it.
    case ringerLost(String)
    case ringerFound
    /// Something more important takes the sound device, and gives it back.
    case interrupted, interruptionEnded
}

public enum MediaEffect: Equatable, Codable, Sendable {
    /// Bind the call's sockets, and gather those candidates that this account uses. No sound device is touched.
    case open(CallID, AccountID)
    /// Gather the candidates again, because our addresses changed or the path is in doubt. The call keeps its path
    /// until there is another one.
    case gather(CallID)
    /// Set up codec, keys and far address. Voice stays off.
    case connect(CallID, NegotiatedMedia)
    /// Turn voice on: capture, playback and sending. Once for each call.
    case activate(CallID)
    /// Give the same call other terms, because it is held, resumed or moved.
    case update(CallID, NegotiatedMedia)
    /// Whether the microphone's sound is sent to the far end. If not, the far end hears silence.
    case microphone(CallID, open: Bool)
    /// Whether the far end hears the hold music in place of the microphone.
    case holdMusic(CallID, on: Bool)
    /// Send digits as telephone events. With `inBand`, or if the far end accepts none, send them as the keys' tones in
    /// the voice.
    case dtmf(CallID, [DTMFElement], inBand: Bool)
    /// Turn voice off at once, wipe the keys and close the sockets.
    case release(CallID)
    /// The tone that is played besides voice. Nil stops it.
    case tone(Tone?)
    /// The ring that the ringer plays until the next order, whenever the bell rings; nil silences it at once.
    case ring(Ring?)
    /// Let a person hear the key that was pressed.
    case keyClick(DTMFSymbol)
    case route(Route)
    /// Whether playback and capture of all calls are paused, until the next order. Calls and their streams stay as they
    /// are.
    case pause(Bool)
    /// The volume, from 0, silent, to `PhoneSettings.loudest`.
    case volume(VolumeKind, Int)
    /// Whether the call is in the conference, whose far ends hear each other.
    case conference(CallID, joined: Bool)
    /// The call to record; nil records no call. The file of the recording before is soon completed.
    case record(CallID?)
    /// The file to play, and the call to play it into. Nil plays nothing. A playback before it stops.
    case play(Playback?)
    /// The number of the group whose page is heard; nil for no page. It is heard while calls are paused, too.
    case page(UInt8?)
    /// The group to page with the microphone's sound; nil for no page. The same group again changes only the
    /// microphone.
    case sendPage(PageSending?)
    /// The test to run; nil ends it at once, without a result.
    case testSound(SoundTest?)
    /// The phone's own addresses: it receives and sends pages on the interfaces that have them.
    case joinPages([String])
}

/// How the recording of a call ended.
public enum RecordingEnd: Equatable, Codable, Sendable {
    /// It was stopped, or the call was over.
    case stopped
    /// It reached the maximum length of recordings.
    case tooLong
    /// It could not begin or continue. What was written before is still a valid file. The text is for people.
    case failed(String)
}

/// A file that is played into a call.
public struct Playback: Equatable, Codable, Sendable {
    /// The sequence number of the playback.
    public var number: UInt32
    public var call: CallID
    /// The file's name below the folder of files that may be played.
    public var file: String

    public init(number: UInt32, call: CallID, file: String) {
        (self.number, self.call, self.file) = (number, call, file)
    }
}

/// How the playing of a file ended.
public enum PlaybackEnd: Equatable, Codable, Sendable {
    /// It was played to its end.
    case finished
    /// It was stopped, another one was requested, or the call was held or ended.
    case stopped
    /// It cannot be played, or not to its end. The text is for people.
    case failed(String)
}
