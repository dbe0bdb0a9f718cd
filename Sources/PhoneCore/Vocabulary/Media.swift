/// A tone for the ear, by meaning; the country decides its sound.
public enum Tone: String, CaseIterable, Hashable, Sendable {
    case dial, ringback, busy, congestion, callWaiting, specialInformation, howler
}

/// Figures of a call's voice, measured. Nil is "no data", never a guess.
public struct VoiceQuality: Equatable, Sendable {
    /// Mean opinion score by the E-model, 1...4.5.
    public var opinionScore: Double?
    public var jitterMilliseconds: Double?
    public var roundTripMilliseconds: Double?
    public var lossPercent: Double?
    public var concealedPercent: Double?
    public var bufferMilliseconds: Double?

    public init(
        opinionScore: Double? = nil, jitterMilliseconds: Double? = nil, roundTripMilliseconds: Double? = nil,
        lossPercent: Double? = nil, concealedPercent: Double? = nil, bufferMilliseconds: Double? = nil
    ) {
        self.opinionScore = opinionScore
        self.jitterMilliseconds = jitterMilliseconds
        self.roundTripMilliseconds = roundTripMilliseconds
        self.lossPercent = lossPercent
        self.concealedPercent = concealedPercent
        self.bufferMilliseconds = bufferMilliseconds
    }
}

public enum MediaEvent: Equatable, Sendable {
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
    case dtmfReceived(CallID, DialSymbol)
    /// Nothing has arrived for 5 s; `heard` when packets flow again.
    case silent(CallID)
    case heard(CallID)
    case quality(CallID, VoiceQuality)
    /// A sound device is not there (any more), or is there again. The call lives on in silence.
    case deviceLost(Route, String)
    case deviceFound(Route)
}

public enum MediaEffect: Equatable, Sendable {
    /// Bind the call's sockets. No sound device is touched.
    case open(CallID)
    /// Set up codec, keys and far address. Voice stays off.
    case connect(CallID, MediaPlan)
    /// Turn voice on: microphone, ear and sending. Once a call.
    case activate(CallID)
    /// The same call with other terms: held, resumed, moved.
    case update(CallID, MediaPlan)
    /// Whether the microphone reaches the far end. Closed, the far end hears silence.
    case microphone(CallID, open: Bool)
    case dtmf(CallID, [DTMFElement])
    /// Voice off at once, keys wiped, sockets closed.
    case release(CallID)
    /// What the ear hears besides voice; nil is nothing.
    case tone(Tone?)
    /// Let a person hear the key that was pressed.
    case keyClick(DialSymbol)
    case route(Route)
}
