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

        /// What we are about to change.
        enum Change: Equatable, Sendable {
            case none
            /// The way is looked for, which our next offer names as ours. What it is to ask stands in `reoffer`.
            case locating
            /// Our re-INVITE is out.
            case offering(Offer)
            /// Our UPDATE is out, which asks for nothing but that the call stands.
            case refreshing
            /// Both ends offered at once, or the far end is not ready; ours waits (RFC 3261 §14.1, §21.5.1).
            case postponed(PendingReoffer)
        }

        /// An offer that is out, and where we were before it: there we stay when it is refused.
        struct Offer: Equatable, Sendable {
            var reoffer: PendingReoffer
            var contact: NameAddress
            var host: String
            /// The far end made an offer meanwhile, which ours refused: it is there, whether it hears us or not.
            var isCrossed = false
            var progress = ReliableSequence()
            /// The answer came before the 2xx, reliably.
            var answer: SessionDescription?
        }

        var dialog: Dialog
        /// Where our INVITEs say that we are.
        var contact: NameAddress
        var negotiation: MediaNegotiation
        /// Whether we hold the far end, as last agreed.
        var isHeldHere = false
        var unacknowledged: Unacknowledged?
        /// The line's user hears of our answer when its ACK comes.
        var isToldAtACK = false
        var change = Change.none
        /// What the next offer is to ask.
        var reoffer = PendingReoffer()
        /// How often in a row the far end named a time to ask again.
        var postponements = 0
        /// Until when the call stands by itself; nil: for ever.
        var session: SessionTimer?
        /// The far end says that it knows UPDATE.
        var allowsUpdate = false
        /// The far end may take digits by INFO: it has neither refused one nor named what it takes without naming that.
        var takesInfo = true
        /// The PRACK of our 180 that was not there yet when we answered.
        var unconfirmed: RAck?

        /// A far end that is never ready is given up.
        static let postponementLimit = 3
        /// Seconds: the most that RFC 3261 §14.2 has a far end name. Three of them end before whoever pressed the key is
        /// told that nothing came of it.
        static let longestPostponement: UInt32 = 10

        /// Another offer may be made (RFC 3261 §14.1).
        var isSettled: Bool { change == .none && unacknowledged == nil && !negotiation.isOffering }

        /// Our offer came to nothing: we are where we were, on the terms that held.
        mutating func takeBack(_ offer: Offer) {
            negotiation.withdraw()
            negotiation.move(to: offer.host)
            contact = offer.contact
        }
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
