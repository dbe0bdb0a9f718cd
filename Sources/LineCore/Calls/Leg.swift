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
        var media: MediaEndpoint
        /// Whether the call hides the caller's identity from the far end.
        var isWithheld = false
        /// The name and the number that only this call shows, instead of the account's.
        var presentation = CallPresentation()
        /// The headers that the INVITE has beyond the usual ones.
        var headers = SIPHeaders()
        /// Whether the far end rejected an offer with optional protection, so that this offer has none.
        var isInClear = false
        /// How the call ends if the line's user does not agree to the current target. Nil: the target may be called.
        var endUnlessAgreed: EndReason?
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
        var untoldAnswer: Agreement?
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
        var end: EndReason
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

/// The dialog with one ringing far end, before any far end answers our INVITE (RFC 3261 §12.1.2).
struct EarlyDialog: Sendable {
    /// The most far ends that may ring at once.
    static let limit = 16

    var dialog: Dialog
    /// This far end's own copy of the call's negotiation.
    var negotiation: MediaNegotiation
    /// Whether the answer came in a reliable response, which makes it final (RFC 3262 §5). Any other provisional answer
    /// is only a preview of the one in the 2xx.
    var isAnswered = false
    var progress = ReliableSequence()

    /// Nil for a response that creates no dialog.
    init?(_ invite: SIPRequest, _ response: SIPResponse, _ negotiation: MediaNegotiation) {
        guard let dialog = try? Dialog(sending: invite, receiving: response) else { return nil }
        (self.dialog, self.negotiation) = (dialog, negotiation)
    }

    /// Accepts the answer in a provisional response, if it has one.
    /// - Parameter offer: The call's negotiation, with our offer outstanding.
    /// - Returns: The terms, if they are new to this dialog.
    mutating func takeAnswer(
        in response: SIPResponse, isReliable: Bool, to offer: MediaNegotiation
    ) -> Agreement? {
        guard !isAnswered, let description = LineMachine.description(in: response) else { return nil }
        var concluded = offer
        // A provisional answer that cannot be accepted is not final: the 2xx decides.
        guard let agreed = try? concluded.conclude(description) else { return nil }
        let isNew = agreed != negotiation.agreed
        (negotiation, isAnswered) = (concluded, isReliable)
        return isNew ? agreed : nil
    }
}

/// Checks the order of one far end's reliable provisional responses to our INVITE (RFC 3262 §4).
struct ReliableSequence: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// A response that may get lost. The far end expects no PRACK.
        case unreliable
        /// The next one, which asks for a PRACK.
        case next(RSeq)
        /// A repetition of an acknowledged response, or one that overtook another. It is ignored, because the far end
        /// repeats every response that has no PRACK.
        case outOfOrder
    }

    private var last: UInt32?

    mutating func take(_ response: SIPResponse) -> Step {
        guard response.headers.requires("100rel"), let sequence = try? response.headers.rSeq else { return .unreliable }
        guard last.map({ $0 < .max && sequence.number == $0 + 1 }) ?? true else { return .outOfOrder }
        last = sequence.number
        return .next(sequence)
    }
}

/// The addresses that a call may try: the dialled one, and those that far ends redirected it to (RFC 3261 §8.1.3.4).
///
/// Each address is tried once, so that two far ends that redirect to each other are called only once each.
struct TargetSet: Sendable {
    /// The most addresses besides the dialled one.
    static let limit = 5

    /// The dialled address, which is in the To of every attempt.
    let dialled: URI
    /// The address that is called now.
    private(set) var current: URI
    private var known: [URI]
    private var waiting: [(address: URI, preference: Double)] = []

    init(_ dialled: URI) {
        (self.dialled, current, known) = (dialled, dialled, [dialled])
    }

    /// Adds an address. The highest preference is tried first. Among equal ones, the first named wins (RFC 3261
    /// §20.10).
    mutating func add(_ address: URI, preference: Double) {
        // A person who dials `sips` asks for TLS on every hop (RFC 3261 §8.1.3.4, §26.2.2).
        let isSecured = dialled.sip?.scheme != .sips || address.sip?.scheme == .sips
        guard isSecured, known.count <= Self.limit, !known.contains(where: address.isEquivalent) else { return }
        known.append(address)
        let place = waiting.firstIndex { $0.preference < preference } ?? waiting.endIndex
        waiting.insert((address, preference), at: place)
    }

    /// Moves on to the next address. False if no address is left.
    mutating func advance() -> Bool {
        guard !waiting.isEmpty else { return false }
        current = waiting.removeFirst().address
        return true
    }
}

/// The flows of one call's dialogs: the one that set up the call, and those that its requests took since.
///
/// A sender at another flow is not the far end, even if it has read messages of the dialog. Our own requests follow the
/// dialog's Contact and Route (RFC 3261 §12.2.1.1), so the far end may send over their flows, too.
struct DialogFlows: Equatable, Sendable {
    /// The most flows that are remembered. A further one replaces the oldest.
    private static let limit = 4

    private(set) var flows: [Flow]
    /// Whether the call was set up over TLS, with or without a WebSocket in it.
    let isSecure: Bool
    /// Whether requests go to the account's server because the far end's own address did not answer.
    var goesThroughServer = false

    init(_ flow: Flow) {
        flows = [flow]
        isSecure = flow.transport.isSecure
    }

    mutating func add(_ flow: Flow) {
        flows.removeAll { $0.leads(as: flow) }
        flows = (flows + [flow]).suffix(Self.limit)
    }

    /// Whether the call's messages may take this transport. A call that was set up over TLS takes no other one, because
    /// its offers and answers name its keys.
    /// TCP binds a call to nothing: a request may have used it only because it was too long for a datagram (RFC 3261
    /// §18.1.1).
    func allows(_ transport: Flow.Transport) -> Bool { !isSecure || transport.isSecure }

    func includes(_ flow: Flow) -> Bool { flows.contains { $0.leads(as: flow) } }
}
