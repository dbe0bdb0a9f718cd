import Base
import SDPCore
import SIPCore

extension OfferAnswer {
    package enum Effect: Equatable, Sendable {
        /// Locate the far end; `offer(over:in:context:)` or `notLocated` follows.
        case locate
        /// A change that we wanted is settled. Nil: it failed, and the old terms remain.
        case settled(PendingReoffer, Agreement?)
        /// Our offer is sent again after this time.
        case delayed(PendingReoffer, by: Duration)
        /// The first terms of the call.
        case agreed(Agreement)
        /// The far end has shown that it hears us.
        case proven
        /// New terms. A far end that only refreshes the old ones causes no such effect.
        case renegotiated(Agreement)
        /// End the call.
        case end(EndReason)
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

/// The changes that we want in a call that is up. Changes that are wanted at the same time go into one offer.
package struct PendingReoffer: Equatable, Sendable {
    package struct Purposes: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Reports our move once the far end knows our new address.
        package static let moves = Purposes(rawValue: 1)
        /// Refreshes the session.
        package static let refreshes = Purposes(rawValue: 2)
        /// Makes the far end show by a response that it hears us.
        package static let proves = Purposes(rawValue: 4)
        /// Agrees on the first terms.
        package static let agrees = Purposes(rawValue: 8)
        /// Tells the far end that we do not do the ICE that it waits for.
        package static let leavesICE = Purposes(rawValue: 16)
    }

    /// Whether to hold the far end. Nil: no change.
    package var held: Bool?
    package var purposes: Purposes
    /// Our candidates from now on. Nil: unchanged.
    package var ice: LocalICE?

    package init(held: Bool? = nil, _ purposes: Purposes = [], ice: LocalICE? = nil) {
        (self.held, self.purposes, self.ice) = (held, purposes, ice)
    }

    package var moves: Bool { purposes.contains(.moves) }
    package var refreshes: Bool { purposes.contains(.refreshes) }
    package var proves: Bool { purposes.contains(.proves) }
    package var agrees: Bool { purposes.contains(.agrees) }

    var isEmpty: Bool { held == nil && purposes.isEmpty }
    /// Whether it only refreshes the session, and changes nothing. A proof needs a re-INVITE, because the ACK completes
    /// a three-way handshake.
    var onlyRefreshes: Bool { held == nil && purposes == .refreshes }

    /// Combines this reoffer with an older one that was not granted yet. Where both set a value, the newer one counts.
    func over(_ older: PendingReoffer) -> PendingReoffer {
        PendingReoffer(held: held ?? older.held, purposes.union(older.purposes), ice: ice ?? older.ice)
    }

    /// Reports terms that changed by an offer that no command waits for. Asterisk begins another handshake with each
    /// answer.
    func news(from before: Agreement?, to agreed: Agreement?) -> [OfferAnswer.Effect] {
        guard onlyRefreshes || purposes.contains(.leavesICE), let agreed, agreed != before else { return [] }
        return [.renegotiated(agreed)]
    }
}
