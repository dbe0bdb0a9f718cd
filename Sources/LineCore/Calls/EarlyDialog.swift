import SDPCore
import SIPCore

/// What we share with one of the far ends that our INVITE rings, before one of them answers (RFC 3261 §12.1.2).
struct EarlyDialog: Sendable {
    /// As many far ends may ring at once.
    static let limit = 16

    var dialog: Dialog
    /// A copy of the call's, which this far end concludes for itself.
    var negotiation: MediaNegotiation
    /// The answer came in a reliable response, and so is the one that counts (RFC 3262 §5). Before that an answer is a
    /// preview of the one in the 2xx.
    var isAnswered = false
    var progress = ReliableSequence()

    /// Nil for a response that makes no dialog.
    init?(_ invite: SIPRequest, _ response: SIPResponse, _ negotiation: MediaNegotiation) {
        guard let dialog = try? Dialog(sending: invite, receiving: response) else { return nil }
        (self.dialog, self.negotiation) = (dialog, negotiation)
    }

    /// Takes the answer that a provisional response may bring.
    /// - Parameter offer: The call's negotiation, with our offer outstanding.
    /// - Returns: Terms that are not those of this dialog already.
    mutating func takeAnswer(
        in response: SIPResponse, isReliable: Bool, to offer: MediaNegotiation
    ) -> NegotiatedMedia? {
        guard !isAnswered, let description = LineMachine.description(in: response) else { return nil }
        var concluded = offer
        // A provisional answer that will not do is not the last word: the 2xx decides.
        guard let agreed = try? concluded.conclude(description) else { return nil }
        let isNew = agreed != negotiation.agreed
        (negotiation, isAnswered) = (concluded, isReliable)
        return isNew ? agreed : nil
    }
}
