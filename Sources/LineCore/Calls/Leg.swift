import Base
import SDPCore
import SIPCore

/// One call of the line.
///
///     locating ─► inviting ─2xx─► established ─BYE─► leaving ─►
///     offered ──────answer──────►┘      CANCEL ────►┘
///
/// It is indirect because it is 2 kB large, and read far more often than changed.
indirect enum Leg: Sendable {
    /// Our call, before its hop is located.
    case locating(Invitation)
    /// Our call, whose INVITE has no final response.
    case inviting(Inviting)
    /// A far end's call, unanswered.
    case offered(Offered)
    case established(Established)
    case leaving(Leaving)

    struct Invitation: Sendable {
        var targets: TargetSet
        var media: LocalMedia
        /// Whether the call hides the caller's identity from the far end.
        var isWithheld = false
        /// The name and the number that only this call shows, instead of the account's.
        var presentation = CallPresentation()
        /// The headers that the INVITE has beyond the usual ones.
        var headers = SIPHeaders()
        /// Whether the far end rejected an offer with optional protection, so that this offer has none.
        var isInClear = false
        /// How the call ends if the line's user does not agree to the current target. Nil: the target may be called.
        var endUnlessAgreed: LegEnd?
    }

    struct Inviting: Sendable {
        /// The state before the INVITE, to which a new attempt at another address returns.
        var invitation: Invitation
        var transaction: ClientTransactionID
        var localTag: String
        var contact: NameAddress
        /// The negotiation with our offer outstanding. Each early dialog concludes a copy of it.
        var negotiation: MediaNegotiation
        /// The early dialogs by the far ends' tags.
        var early: [String: EarlyDialog] = [:]
        var hasRung = false
    }

    struct Offered: Sendable {
        /// Whether the caller has confirmed our 180. Stays at `none` if the caller did not ask for a reliable one.
        enum Progress: Sendable {
            case none
            /// Our 180 was sent, and is repeated until its PRACK comes.
            case unconfirmed(ReliableProgress)
            case confirmed
        }

        var transaction: ServerTransactionID
        var request: SIPRequest
        var flow: Flow
        var dialog: Dialog
        /// Nil: the INVITE had no offer, so we make it.
        var offer: SessionDescription?
        var progress = Progress.none
    }

    struct Established: Sendable {
        /// Our 2xx that has no ACK yet.
        struct Unacknowledged: Sendable {
            var transaction: ServerTransactionID
            var response: SIPResponse
            var retransmission: ResponseRetransmission
            /// The CSeq of the INVITE, which its ACK repeats.
            var sequence: UInt32
        }

        var dialog: Dialog
        /// The terms that both ends agreed on, and the changes that either end wants.
        var offerAnswer: OfferAnswer
        var unacknowledged: Unacknowledged?
        /// The terms of our answer, while their report waits for its ACK.
        var untoldAnswer: NegotiatedMedia?
        /// Whether the call was answered automatically. Its voice goes to another address only after the far end has
        /// shown that it hears us.
        var isUnattended = false
        /// Whether the report of new terms, to which our 2xx agreed, waits until the far end has shown that it hears
        /// us. The ACK shows it. After an UPDATE, a response to our re-INVITE does.
        var hasUntoldChange = false
        /// Whether the far end may accept digits by INFO. It may until it refuses one, unless its Allow leaves out
        /// INFO.
        var takesInfo = true
        /// The PRACK for our 180, if it had not come when we answered.
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
        /// Whether `ended` was reported. The transaction with the far end may last longer.
        var isReported = false
    }

    /// Whether a message of this dialog belongs to the leg.
    func owns(_ dialog: Dialog.ID) -> Bool {
        switch self {
        case .inviting(let inviting): inviting.early[dialog.remoteTag]?.dialog.id == dialog
        case .locating, .offered, .established, .leaving: self.dialog?.id == dialog
        }
    }

    /// The one dialog of a leg.
    var dialog: Dialog? {
        switch self {
        case .locating, .inviting: nil
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
        case .locating, .inviting, .offered, .established: false
        case .leaving: true
        }
    }
}

extension Leg {
    /// Whether the report of the terms waits until the far end has shown that it hears us. That report includes all
    /// changes until then.
    var isToldOnProof: Bool {
        switch self {
        case .established(let established): established.untoldAnswer != nil || established.hasUntoldChange
        case .locating, .inviting, .offered, .leaving: false
        }
    }
}

extension Leg {
    /// The deadline of the call's terms.
    var deadline: Instant? {
        switch self {
        case .established(let established): established.offerAnswer.deadline
        case .locating, .inviting, .offered, .leaving: nil
        }
    }
}
