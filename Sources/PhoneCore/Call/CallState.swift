import Base

/// Where a call is in its life. What a state knows means something only in that state.
///
/// ```
///                       idle
///        ┌───────────────┼────────────────┐
///   offered here     dialled here    orphan of a crash
///        ▼               ▼                ▼
///    ringingIn ──┐   ringingOut        failed
///        ▼       │       ▼
///    connecting ◄┼───────┘          any live state ──► disconnecting ──► ended or failed
///        ▼       ▼
///      active ◄──► onHold           both ◄──► reconnecting
/// ```
///
/// Two departures from the figure of the specification. A call whose early media sounds already passes through
/// `connecting` within the turn of its answer. `idle`, `ended` and `failed` last for a part of a turn only: a call is
/// born, or is cleaned up, before the machine rests.
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

/// Announced; a person may answer.
struct Ringing: Equatable, Codable, Sendable {
    let until: Instant
    /// Announced by caller info: until then a line has to offer it. Nil: a line has.
    var offerDue: Instant?
    var endpoint: MediaEndpoint?
    /// A person wants no bell for it.
    var silenced = false

    var due: Instant { min(until, offerDue ?? until) }
}

/// Dialled here.
enum Dialling: Equatable, Codable, Sendable {
    /// The number is shown; line, sockets and floor are waited for. Nothing has left. Bounded by the start action.
    case preparing(MediaEndpoint?)
    /// The line has it; whether the offer left is not known yet. Bounded by the start action.
    case placing
    /// The offer left; the far end is waited for.
    case placed(until: Instant, alerting: Bool, early: EarlyMedia)
}

/// Sound from the far end before it answers.
enum EarlyMedia: Equatable, Codable, Sendable {
    case none
    case connecting(NegotiatedMedia)
    case audible(NegotiatedMedia)
}

/// Answered by one side; media is being set up.
struct Connecting: Equatable, Codable, Sendable {
    enum Stage: Equatable, Codable, Sendable {
        /// A person answered; line, offer, organisation, sockets and floor are waited for. The caller knows nothing yet.
        case preparing(Ringing)
        /// The line is sending our answer.
        case answering
        /// Both ends agree; Media is at work.
        case settingUp(NegotiatedMedia, heldThere: Bool)
    }

    var stage: Stage
    let until: Instant

    var due: Instant {
        switch stage {
        case .preparing(let ringing): min(until, ringing.offerDue ?? until)
        case .answering, .settingUp: until
        }
    }
}

/// The path broke.
struct Recovery: Equatable, Codable, Sendable {
    let since: Instant
    var until: Instant
    /// There is a path again, from another address; the far end is being told.
    var isMoving = false
}

/// Our goodbye is on the wire.
struct Disconnecting: Equatable, Codable, Sendable {
    let reason: EndReason
    let since: Instant
    let until: Instant
}
