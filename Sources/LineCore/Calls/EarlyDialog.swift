import SDPCore
import SIPCore

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
    ) -> NegotiatedMedia? {
        guard !isAnswered, let description = LineMachine.description(in: response) else { return nil }
        var concluded = offer
        // A provisional answer that cannot be accepted is not final: the 2xx decides.
        guard let agreed = try? concluded.conclude(description) else { return nil }
        let isNew = agreed != negotiation.agreed
        (negotiation, isAnswered) = (concluded, isReliable)
        return isNew ? agreed : nil
    }
}
