import Base

/// The state of a call. A state's associated values are valid only in that state.
///
/// ```
///                       idle
///        ┌───────────────┼────────────────┐
///   offered here     dialled here    orphan of a crash
///        ▼               ▼                ▼
///    ringingIn       ringingOut         failed
///        ▼               │
///    connecting ◄────────┘          any live state ──► disconnecting ──► ended or failed
///        ▼
///      active ◄──► onHold           both ◄──► reconnecting
/// ```
///
/// The specification's figure differs in two points. A call whose early media is audible goes from `ringingOut` to
/// `active` when it is answered, without `connecting`. `idle`, `ended` and `failed` last for a part of a transition only: the
/// machine creates or removes the call before the transition ends.
enum CallState: Equatable, Codable, Sendable {
    case idle
    case ringingIn(Ringing)
    case ringingOut(Dialling)
    case connecting(Connecting)
    case active(Talk)
    case onHold(Talk)
    case reconnecting(Talk, Recovery)
    case disconnecting(Disconnecting)
    case ended(EndReason)
    case failed(EndReason)
}

/// An incoming call that is announced. A person may answer it.
struct Ringing: Equatable, Codable, Sendable {
    let until: Instant
    /// When a line must have offered the call that caller info announced. Nil: a line has offered it.
    var offerDue: Instant?
    var endpoint: MediaEndpoint?
    /// A person has silenced the bell for this call.
    var silenced = false

    var due: Instant { min(until, offerDue ?? until) }
}

/// The stages of a call that was dialled here and is not answered yet.
enum Dialling: Equatable, Codable, Sendable {
    /// The number is shown. The call waits for the line, the sockets and the audio focus. Nothing has been sent.
    /// Bounded by the start action.
    case preparing(MediaEndpoint?)
    /// The line has the call. It is not known yet whether the offer was sent. Bounded by the start action.
    case dialling
    /// The offer was sent. The call waits for the far end.
    case dialled(until: Instant, alerting: Bool, early: EarlyMedia)

    /// Event logs keep the names that they were recorded with.
    private enum CodingKeys: String, CodingKey {
        case preparing
        case dialling = "placing"
        case dialled = "placed"
    }
}

/// Sound from the far end before it answers. Signalling describes it, and only media shows whether any comes.
enum EarlyMedia: Equatable, Codable, Sendable {
    /// How long voice may take once media is set up. If the far end has not reported ringing, the person hears ringback
    /// only after this time.
    static let patience = Duration.seconds(1)

    case none
    case connecting(NegotiatedMedia)
    /// Media is set up, and no voice has come so far.
    case awaited(NegotiatedMedia, until: Instant)
    /// Voice comes.
    case audible(NegotiatedMedia)
    /// No voice has come in time, or it has stopped.
    case silent(NegotiatedMedia)

    var negotiated: NegotiatedMedia? {
        switch self {
        case .none: nil
        case .connecting(let negotiated), .awaited(let negotiated, _), .audible(let negotiated),
            .silent(let negotiated):
            negotiated
        }
    }

    /// Whether media is set up.
    var isSetUp: Bool {
        switch self {
        case .none, .connecting: false
        case .awaited, .audible, .silent: true
        }
    }

    var due: Instant? { if case .awaited(_, let until) = self { until } else { nil } }

    /// Whether this phone has to play ringback (RFC 3960 §3.2). It does while the far end rings without voice, and if
    /// described voice does not come.
    func needsRingback(alerting: Bool) -> Bool {
        switch self {
        case .none, .connecting, .awaited: alerting
        case .audible(let negotiated): !negotiated.receives
        case .silent: true
        }
    }

    /// The same state with other terms. A far end that says it sends no voice will send none.
    func replacing(_ next: NegotiatedMedia) -> EarlyMedia {
        switch self {
        case .none, .connecting: .connecting(next)
        case .awaited(_, let until): next.receives ? .awaited(next, until: until) : .silent(next)
        case .audible: .audible(next)
        case .silent: .silent(next)
        }
    }
}

/// Answered by one side; media is being set up.
struct Connecting: Equatable, Codable, Sendable {
    enum Stage: Equatable, Codable, Sendable {
        /// The call was answered here. It waits for the line, the offer, the organisation, the sockets and the audio
        /// focus. Nothing has been sent to the caller yet.
        case preparing(Ringing)
        /// The line is sending our answer.
        case answering
        /// Both ends agree. Media is setting up the call's media.
        case settingUp(NegotiatedMedia, heldThere: Bool)

        var negotiated: NegotiatedMedia? {
            switch self {
            case .preparing, .answering: nil
            case .settingUp(let negotiated, _): negotiated
            }
        }
    }

    var stage: Stage
    var until: Instant

    var due: Instant {
        switch stage {
        case .preparing(let ringing): min(until, ringing.offerDue ?? until)
        case .answering, .settingUp: until
        }
    }
}

/// The recovery of a call whose network path broke.
struct Recovery: Equatable, Codable, Sendable {
    let since: Instant
    var until: Instant
    /// There is a path again, with other addresses. The line is sending them to the far end.
    var isMoving = false
    /// The candidates of our new addresses are being gathered (ICE). Until then nothing can be sent to the far end.
    var isGathering = false
}

/// The end of the call was sent to the far end and is not confirmed yet.
struct Disconnecting: Equatable, Codable, Sendable {
    let reason: EndReason
    let since: Instant
    let until: Instant
}

/// The data of a call that is up. Its voice flows or is held.
///
/// The microphone's gate is derived from the person's mute and from our hold. So a hold that succeeds does not change
/// the mute. A hold that fails may set it (`Transition.holdSettled`).
struct Talk: Equatable, Codable, Sendable {
    var negotiated: NegotiatedMedia
    var muted = false
    var ownHold = OwnHold.off
    var heldThere = false

    /// The names that recordings contain.
    private enum CodingKeys: String, CodingKey {
        case negotiated = "plan"
        case muted, ownHold, heldThere
    }

    init(negotiated: NegotiatedMedia) { self.negotiated = negotiated }

    var isHeldHere: Bool { ownHold.holds }
    var microphoneOpen: Bool { !muted && ownHold == .off }
    var state: CallState { isHeldHere || heldThere ? .onHold(self) : .active(self) }

    /// The terms that Media gets. While the call is held here, no voice is sent or received, whatever the far end
    /// offers.
    /// - Parameter playsMusic: Whether a far end that is held here hears music.
    func negotiatedForMedia(playsMusic: Bool) -> NegotiatedMedia {
        var negotiated = negotiated
        negotiated.sends = negotiated.sends && (!isHeldHere || playsMusic)
        negotiated.receives = negotiated.receives && !isHeldHere
        return negotiated
    }
}

/// Our own hold and its negotiation. The far end's hold is independent of it.
enum OwnHold: Equatable, Codable, Sendable {
    case off
    /// The hold was requested. The microphone is closed already, but the old terms still apply.
    case asking(until: Instant)
    case on
    /// The call is to be resumed and waits for the audio focus: another call may have to be held first. Bounded by the
    /// resume action.
    case queued
    /// The line was asked to resume the call. The call is still held.
    case releasing(until: Instant)

    var holds: Bool {
        switch self {
        case .off, .asking: false
        case .on, .queued, .releasing: true
        }
    }

    /// When the negotiation counts as failed.
    var until: Instant? {
        switch self {
        case .asking(let until), .releasing(let until): until
        case .off, .on, .queued: nil
        }
    }
}

/// Groups of states that several rules use. Each group is defined only here.
extension CallState {
    /// The talk of a call that is up: both ends have agreed, with or without a network path.
    var talk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The terms of a call that has, or is about to have, sound from its far end.
    var negotiated: NegotiatedMedia? {
        switch self {
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk.negotiated
        case .connecting(let connecting): connecting.stage.negotiated
        case .ringingOut(.dialled(_, _, let early)): early.negotiated
        case .idle, .ringingIn, .ringingOut(.preparing), .ringingOut(.dialling), .disconnecting, .ended, .failed: nil
        }
    }

    /// The talk of a call that is up and whose far end can be asked for something.
    var reachableTalk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// Changes the data of an incoming call that has no answer on the wire. It rings, or was answered here and waits for
    /// the line, the offer, the organisation or the sockets.
    /// - Returns: False in any other state.
    mutating func editRinging(_ change: (inout Ringing) -> Void) -> Bool {
        switch self {
        case .ringingIn(var ringing):
            change(&ringing)
            self = .ringingIn(ringing)
            return true
        case .connecting(var connecting):
            guard case .preparing(var ringing) = connecting.stage else { return false }
            change(&ringing)
            connecting.stage = .preparing(ringing)
            self = .connecting(connecting)
            return true
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed: return false
        }
    }

    /// The call counts against the limit of calls: it is neither ended nor disconnecting.
    var isLive: Bool {
        switch self {
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting: true
        case .idle, .disconnecting, .ended, .failed: false
        }
    }
}
