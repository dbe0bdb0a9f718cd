/// A tone for the ear, by meaning; the country decides its sound.
public enum Tone: String, CaseIterable, Hashable, Codable, Sendable {
    case dial
    /// The dial tone while messages wait.
    case stutterDial
    case ringback, busy, congestion, callWaiting, specialInformation, howler
}

/// What a person sets the loudness of, each by itself.
public enum VolumeKind: String, CaseIterable, Hashable, Codable, Sendable { case call, ring }

/// Figures of a call's voice, measured. Nil is "no data", never a guess.
public struct VoiceQuality: Equatable, Codable, Sendable {
    /// Mean opinion score by the E-model, 1...4.5.
    public var opinionScore: Double?
    public var jitterMilliseconds: Double?
    public var roundTripMilliseconds: Double?
    public var lossPercent: Double?
    public var concealedPercent: Double?
    public var bufferMilliseconds: Double?
    /// How the far end says that it hears us, 1...5.
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

    /// What the score means to a person. No score is no verdict.
    public var rating: Rating {
        guard let opinionScore, !opinionScore.isNaN else { return .unknown }
        if opinionScore >= 4.0 { return .good }
        return opinionScore >= 3.5 ? .fair : .poor
    }
}

public enum MediaEvent: Equatable, Codable, Sendable {
    /// The call's sockets are bound.
    case opened(CallID, MediaEndpoint)
    /// Codec, keys and path stand; voice may be turned on.
    case ready(CallID)
    /// The call can have no (more) media. The text is for people.
    case failed(CallID, String)
    /// The first voice packet was authenticated and put into the ear's queue.
    case firstVoice(CallID)
    /// The last element of a digit sequence has left.
    case dtmfSent(CallID)
    case dtmfReceived(CallID, DTMFSymbol)
    /// Nothing has arrived for 5 s; `heard` when packets flow again.
    case silent(CallID)
    case heard(CallID)
    case quality(CallID, VoiceQuality)
    /// The call is being recorded into a file of this name.
    case recordingStarted(CallID, file: String)
    /// Told once for each call that was to be recorded; nothing more is written.
    case recordingEnded(CallID, RecordingEnd)
    /// The playback of this number is heard.
    case playbackStarted(UInt32)
    /// Told once for each playback that was to be, unless another one or none was wanted before.
    case playbackEnded(UInt32, PlaybackEnd)
    /// A sound device is not there (any more), or is there again. The call lives on in silence.
    case deviceLost(Route, String)
    case deviceFound(Route)
    /// The ringer's own device is not there (any more), or is there again. The bell rings without it.
    case ringerLost(String)
    case ringerFound
    /// Something more important takes the sound device, and gives it back.
    case interrupted, interruptionEnded
}

public enum MediaEffect: Equatable, Codable, Sendable {
    /// Bind the call's sockets. No sound device is touched.
    case open(CallID)
    /// Set up codec, keys and far address. Voice stays off.
    case connect(CallID, NegotiatedMedia)
    /// Turn voice on: microphone, ear and sending. Once a call.
    case activate(CallID)
    /// The same call with other terms: held, resumed, moved.
    case update(CallID, NegotiatedMedia)
    /// Whether the microphone reaches the far end. Closed, the far end hears silence.
    case microphone(CallID, open: Bool)
    /// Digits as telephone events; as the keys' tones in the voice when the far end takes none, or when so wished.
    case dtmf(CallID, [DTMFElement], inBand: Bool)
    /// Voice off at once, keys wiped, sockets closed.
    case release(CallID)
    /// What the ear hears besides voice; nil is nothing.
    case tone(Tone?)
    /// What the ringer plays until told otherwise, whenever the bell rings; nil silences it at once.
    case ring(Ring?)
    /// Let a person hear the key that was pressed.
    case keyClick(DTMFSymbol)
    case route(Route)
    /// No call is heard and none hears us, until told otherwise; calls and their streams stay as they are.
    case pause(Bool)
    /// From 0, silent, to `PhoneSettings.loudest`.
    case volume(VolumeKind, Int)
    /// Whether the call's far end hears those of the other calls that are in the conference, and they hear it.
    case conference(CallID, joined: Bool)
    /// Which call is recorded; nil is none. What was recorded until then is complete soon.
    case record(CallID?)
    /// Which file is played into which call; nil is none. What was played until then is heard no more.
    case play(Playback?)
}
