import Base
import SDPCore
import SIPCore

/// One call of the line.
///
///     placing ─► inviting ─2xx─► established ─BYE─► leaving ─►
///     offered ──────answer──────►┘      CANCEL ────►┘
enum Leg: Sendable {
    /// Ours, before the way to the far end is known.
    case placing(Placing)
    /// Our INVITE has no final response.
    case inviting(Inviting)
    /// Theirs, unanswered.
    case offered(Offered)
    case established(Established)
    case leaving(Leaving)

    struct Placing: Sendable {
        var targets: TargetSet
        var mediaPort: UInt16
        /// The far end is not to learn who calls.
        var isWithheld = false
        /// What the INVITE says besides what any INVITE says.
        var headers = SIPHeaders()
        /// Nobody has agreed to the current target yet: how the call ends if nobody does. Nil: it may be called.
        var endUnlessAgreed: LegEnd?
    }

    struct Inviting: Sendable {
        /// As which it began, and would begin again elsewhere.
        var placing: Placing
        var transaction: ClientTransactionID
        var localTag: String
        var contact: NameAddress
        /// With our offer outstanding: each early dialog concludes a copy of it.
        var negotiation: MediaNegotiation
        /// By the far ends' tags.
        var early: [String: EarlyDialog] = [:]
        var hasRung = false
    }

    struct Offered: Sendable {
        /// Whether the caller is certain that we ring. Stays at `none` where it did not ask to be.
        enum Progress: Sendable {
            case none
            /// Our 180 is out, and repeated until its PRACK comes.
            case unconfirmed(ReliableProgress)
            case confirmed
        }

        var transaction: ServerTransactionID
        var request: SIPRequest
        var flow: Flow
        var dialog: Dialog
        /// Nil: the caller leaves the offer to us.
        var offer: SessionDescription?
        var progress = Progress.none
    }

    struct Established: Sendable {
        /// A 2xx of ours that has no ACK yet.
        struct Unacknowledged: Sendable {
            var transaction: ServerTransactionID
            var response: SIPResponse
            var retransmission: ResponseRetransmission
            /// The CSeq of the INVITE, which its ACK repeats.
            var sequence: UInt32
        }

        var dialog: Dialog
        /// What both ends agreed on, and what either wants to change of it.
        var terms: OfferAnswer
        var unacknowledged: Unacknowledged?
        /// The line's user hears of our answer when its ACK comes.
        var isToldAtACK = false
        /// The far end may take digits by INFO: it has neither refused one nor named what it takes without naming that.
        var takesInfo = true
        /// The PRACK of our 180 that was not there yet when we answered.
        var unconfirmed: RAck?
    }

    struct Leaving: Sendable {
        enum Stage: Sendable {
            case cancelling(ClientTransactionID, localTag: String)
            /// BYE may not be sent before the ACK of our 2xx (RFC 3261 §15).
            case awaitingACK(Established)
            case bye(Dialog)
        }

        var stage: Stage
        var end: LegEnd
        /// `ended` was told: the rest is between the two ends.
        var isReported = false
    }

    /// Whether a message of this dialog belongs to the leg.
    func owns(_ dialog: Dialog.ID) -> Bool {
        switch self {
        case .inviting(let inviting): inviting.early[dialog.remoteTag]?.dialog.id == dialog
        case .placing, .offered, .established, .leaving: self.dialog?.id == dialog
        }
    }

    /// The one dialog of a leg.
    var dialog: Dialog? {
        switch self {
        case .placing, .inviting: nil
        case .offered(let offered): offered.dialog
        case .established(let established): established.dialog
        case .leaving(let leaving):
            switch leaving.stage {
            case .cancelling: nil
            case .awaitingACK(let established): established.dialog
            case .bye(let dialog): dialog
            }
        }
    }

    var isLeaving: Bool {
        switch self {
        case .placing, .inviting, .offered, .established: false
        case .leaving: true
        }
    }
}

extension Leg {
    /// The line's user hears of our answer when its ACK comes; what changes until then is in what it hears.
    var isToldAtACK: Bool {
        switch self {
        case .established(let established): established.isToldAtACK
        case .placing, .inviting, .offered, .leaving: false
        }
    }
}

extension Leg {
    /// When something of its terms is due.
    var deadline: Instant? {
        switch self {
        case .established(let established): established.terms.deadline
        case .placing, .inviting, .offered, .leaving: nil
        }
    }
}
