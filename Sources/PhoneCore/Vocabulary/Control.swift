import Base

/// What another program may ask. Nil for a call means "the one it can only mean".
public enum Request: Equatable, Sendable {
    case dial(String, account: AccountID?)
    case answer(CallID?)
    case hangUp(CallID?)
    case hold(CallID?)
    case resume(CallID?)
    case mute(Bool)
    case dtmf(CallID?, [DTMFElement])
    case route(Route)
    /// The missed calls were seen; the message lamp goes out.
    case clearMissedCalls
    /// Answered with a snapshot.
    case status
}

/// How an action ended.
public enum ActionOutcome: Equatable, Sendable {
    case fulfilled
    case failed(ActionFailure)
}

public enum ActionFailure: Error, Equatable, Sendable {
    /// Makes no sense in the state the phone is in.
    case noSuchCall, wrongState
    /// The same is already under way.
    case alreadyUnderWay
    case noRoom
    case invalidTarget
    case lineNotReady
    /// The far end, or the line, said no.
    case refusedThere
    case timedOut
    /// The call ended before the action could be done.
    case callEnded(EndReason)
    case shuttingDown
}

/// What happened, for whoever watches. Names follow the control interface.
public enum Notice: Equatable, Sendable {
    case callChanged(CallSummary)
    case callEnded(CallSummary, EndReason)
    case missedCall(CallSummary, EndReason)
    case registrationChanged(AccountID, RegistrationState)
    case hookChanged(HookPosition)
    case keyPressed(Key)
    case toneChanged(Tone?)
    case ringerChanged(on: Bool)
    case muteChanged(Bool)
    case routeChanged(Route)
    case firstVoice(CallID)
    case dtmfReceived(CallID, DialSymbol)
    case dtmfSent(CallID)
    case qualityUpdated(CallID, VoiceQuality)
    case trouble(String)
}

/// A call as other programs see it.
public struct CallSummary: Equatable, Sendable {
    public enum Direction: String, Sendable { case incoming, outgoing }
    public enum Phase: String, CaseIterable, Sendable {
        case idle, ringingIn, ringingOut, connecting, active, onHold, reconnecting, disconnecting, ended, failed
    }

    public var call: CallID
    public var direction: Direction
    public var phase: Phase
    public var number: String
    public var name: String?
    public var account: AccountID
    public var heldHere: Bool
    public var heldThere: Bool
    public var started: Instant
    public var answered: Instant?
    /// Dialled here, and the far end's phone is known to ring.
    public var farEndRings: Bool

    public init(
        call: CallID, direction: Direction, phase: Phase, number: String, name: String?, account: AccountID,
        heldHere: Bool, heldThere: Bool, started: Instant, answered: Instant?, farEndRings: Bool = false
    ) {
        self.call = call
        self.direction = direction
        self.phase = phase
        self.number = number
        self.name = name
        self.account = account
        self.heldHere = heldHere
        self.heldThere = heldThere
        self.started = started
        self.answered = answered
        self.farEndRings = farEndRings
    }
}

/// Everything another program needs to draw the phone.
public struct PhoneSnapshot: Equatable, Sendable {
    public var calls: [CallSummary]
    public var hook: HookPosition?
    public var digits: String
    public var muted: Bool
    public var route: Route
    public var tone: Tone?
    public var registrations: [AccountID: RegistrationState]
    public var lamps: [Lamp: LampPattern]
    public var ringing: Bool

    public init(
        calls: [CallSummary], hook: HookPosition?, digits: String, muted: Bool, route: Route, tone: Tone?,
        registrations: [AccountID: RegistrationState], lamps: [Lamp: LampPattern], ringing: Bool
    ) {
        self.calls = calls
        self.hook = hook
        self.digits = digits
        self.muted = muted
        self.route = route
        self.tone = tone
        self.registrations = registrations
        self.lamps = lamps
        self.ringing = ringing
    }
}

public enum ControlEffect: Equatable, Sendable {
    case settled(ActionID, ActionOutcome)
    case snapshot(ActionID, PhoneSnapshot)
    case notice(Notice)
}
