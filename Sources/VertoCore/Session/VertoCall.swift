import Base
import Telephony

/// One call of a session.
struct VertoCall: Sendable {
    /// ```
    /// ours:   inviting ─→ proceeding ─→ active
    /// theirs: offered ─→ answering ───→ active
    /// any ─(connection lost)→ recovering ─(attach)→ attaching ─(our answer)→ rejoining ─(result)→ active
    ///                                  ─(offered anew, still rings)→ offered
    /// ```
    /// A call that ends is removed.
    enum Phase: Equatable, Sendable {
        case inviting, proceeding
        case offered, answering
        case active
        /// Until then the server may give it back.
        case recovering(until: Instant)
        case attaching(until: Instant)
        case rejoining(until: Instant)

        /// When a call that is not given back is lost.
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
    /// Whether somebody took it, and whether the server knows it.
    var isAnswered = false
    var isConfirmed = false
    var isRinging = false
    /// Whether the far end has described its media.
    var hasDescription: Bool
    var isTrickled: Bool

    /// What the server has confirmed, and what is wanted next.
    var isHeld = false
    var holdWanted: Bool?
    /// Until when somebody waits for the last one that was wanted.
    var holdDue: Instant?
    /// What is to be asked for again when the server has given the call back.
    var holdToRestore: Bool?

    /// The first one is with the server.
    var digits: [DTMFSymbol] = []
    /// Candidates of ours that wait for the answer.
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

    /// Whether it rings here, and nobody has taken it.
    var isUnanswered: Bool { isIncoming && !isAnswered }

    /// Whether the server may still believe that it rings here.
    var isUnconfirmed: Bool { isIncoming && !isConfirmed }
}
