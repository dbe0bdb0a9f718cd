import SDPCore

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
    func news(from before: NegotiatedMedia?, to agreed: NegotiatedMedia?) -> [OfferAnswer.Effect] {
        guard onlyRefreshes || purposes.contains(.leavesICE), let agreed, agreed != before else { return [] }
        return [.renegotiated(agreed)]
    }
}
