import Base
import SDPCore
import SIPCore

extension OfferAnswer {
    package enum Effect: Equatable, Sendable {
        /// Locate the far end; `offer(over:in:context:)` or `notLocated` follows.
        case locate
        /// What was wanted is settled. Nil: it failed, and the old terms remain.
        case settled(PendingReoffer, NegotiatedMedia?)
        /// Our offer is sent again after this time.
        case delayed(PendingReoffer, by: Duration)
        /// The first terms of the call.
        case agreed(NegotiatedMedia)
        /// The far end has shown that it hears us.
        case proven
        /// New terms. A far end that only refreshes the old ones causes no such effect.
        case renegotiated(NegotiatedMedia)
        /// The call is to be ended.
        case end(LegEnd)
        /// The far end does not know the call any more.
        case gone
    }

    /// The change of ours that is under way.
    enum Change {
        case none
        /// The far end is being located. Our next offer names our address on the flow that is found; `reoffer` holds
        /// what it asks for.
        case locating
        /// Our re-INVITE was sent.
        case offering(Offer)
        /// Our UPDATE was sent, which only refreshes the session.
        case refreshing
        /// Both ends offered at once, or the far end is not ready or not to be reached. Our offer waits.
        case postponed(PendingReoffer, until: Instant)
    }

    /// An offer that was sent, and our address before it, which is restored if the offer is refused.
    struct Offer {
        var reoffer: PendingReoffer
        var contact: NameAddress
        var host: String
        /// Whether the far end made an offer meanwhile, which was refused because of ours. If so, the far end is there,
        /// even if it does not receive our requests.
        var isCrossed = false
        var progress = ReliableSequence()
        /// The answer, if it came before the 2xx in a reliable response.
        var answer: SessionDescription?
    }
}
