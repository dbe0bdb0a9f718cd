import SDPCore
import SIPCore

/// The dialog with one of the far ends at which our INVITE rings, before one of them answers (RFC 3261 §12.1.2).
struct EarlyDialog: Sendable {
    /// The most far ends that may ring at once.
    static let limit = 16

    var dialog: Dialog
    /// A copy of the call's negotiation, which this far end concludes by itself.
    var negotiation: MediaNegotiation
    /// Whether the answer came in a reliable response, so that it is the one that counts (RFC 3262 §5). Before that, an
    /// answer is only a preview of the one in the 2xx.
    var isAnswered = false
    var progress = ReliableSequence()

    /// Nil for a response that makes no dialog.
    init?(_ invite: SIPRequest, _ response: SIPResponse, _ negotiation: MediaNegotiation) {
        guard let dialog = try? Dialog(sending: invite, receiving: response) else { return nil }
        (self.dialog, self.negotiation) = (dialog, negotiation)
    }

    /// Takes the answer of a provisional response, if it has one.
    /// - Parameter offer: The call's negotiation, with our offer outstanding.
    /// - Returns: The terms, if this dialog does not have them already.
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
