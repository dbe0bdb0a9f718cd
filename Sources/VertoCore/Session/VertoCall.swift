import Base
import Telephony

/// One call of a session.
struct VertoCall: Sendable {
    /// ```
    /// ours:   inviting ─→ proceeding ─→ active
    /// theirs: offered ─→ answering ───→ active
    /// any ─(connection lost)→ recovering ─(attach)→ attaching ─(our answer)→ rejoining ─(result)→ active
    ///                                  ─(offered again, still rings)→ offered
    /// ```
    /// A call that ends is removed.
    enum Phase: Equatable, Sendable {
        case inviting, proceeding
        case offered, answering
        case active
        /// The server may give the call back until then.
        case recovering(until: Instant)
        case attaching(until: Instant)
        case rejoining(until: Instant)

        /// When the call is lost, unless the server gives it back before.
        var until: Instant? {
            switch self {
            case .recovering(let until), .attaching(let until), .rejoining(let until): until
            case .inviting, .proceeding, .offered, .answering, .active: nil
            }
        }
    }

    let id: VertoCallID
    let isIncoming: Bool
    var phase: Phase
    /// Whether somebody answered it, and whether the server knows that.
    var isAnswered = false
    var isConfirmed = false
    var isRinging = false
    /// Whether the far end has described its media.
    var hasDescription: Bool
    var isTrickled: Bool

    /// The hold that the server has confirmed, and the hold that is wanted next.
    var isHeld = false
    var holdWanted: Bool?
    /// How long somebody waits for the hold that was wanted last.
    var holdDue: Instant?
    /// The hold to request again when the server has given the call back.
    var holdToRestore: Bool?

    /// The digits to send. The server has the first one.
    var digits: [DTMFSymbol] = []
    /// Our candidates that wait for the answer.
    var candidates: [VertoCandidate] = []
    var isEndOfCandidatesWaiting = false
    var candidatesHeard = 0

    init(ours id: VertoCallID, isTrickled: Bool) {
        (self.id, isIncoming, phase) = (id, false, .inviting)
        (hasDescription, self.isTrickled) = (false, isTrickled)
    }

    init(theirs id: VertoCallID) {
        (self.id, isIncoming, phase) = (id, true, .offered)
        (hasDescription, isTrickled) = (true, false)
    }

    /// Whether it rings here, and nobody has answered it.
    var isUnanswered: Bool { isIncoming && !isAnswered }

    /// Whether the server may still believe that it rings here.
    var isUnconfirmed: Bool { isIncoming && !isConfirmed }
}
