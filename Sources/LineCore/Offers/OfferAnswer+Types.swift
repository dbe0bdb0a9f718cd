import Base
import SDPCore
import SIPCore

extension OfferAnswer {
    package enum Effect: Equatable, Sendable {
        /// Locate the far end; `offer(over:in:context:)` or `notLocated` follows.
        case locate
        /// A change that we wanted is settled. Nil: it failed, and the old terms remain.
        case settled(PendingReoffer, NegotiatedMedia?)
        /// Our offer is sent again after this time.
        case delayed(PendingReoffer, by: Duration)
        /// The first terms of the call.
        case agreed(NegotiatedMedia)
        /// The far end has shown that it hears us.
        case proven
        /// New terms. A far end that only refreshes the old ones causes no such effect.
        case renegotiated(NegotiatedMedia)
        /// End the call.
        case end(LegEnd)
        /// The far end no longer knows the call.
        case gone
    }

    /// Our change that is under way.
    enum Change {
        case none
        /// The far end is being located. Our next offer names our address on the flow that is found, and makes the
        /// changes in `reoffer`.
        case locating
        /// Our re-INVITE was sent.
        case offering(Offer)
        /// Our UPDATE was sent, which only refreshes the session.
        case refreshing
        /// Our offer waits: both ends offered at once, or the far end is not ready or cannot be reached.
        case postponed(PendingReoffer, until: Instant)
    }

    /// An offer that was sent, and our earlier address, which a refusal of the offer restores.
    struct Offer {
        var reoffer: PendingReoffer
        var contact: NameAddress
        var host: String
        /// Whether we refused an offer of the far end because of this one. If so, the far end is there, even if it does
        /// not receive our requests.
        var isCrossed = false
        var progress = ReliableSequence()
        /// The answer, if it came before the 2xx in a reliable response.
        var answer: SessionDescription?
    }
}
