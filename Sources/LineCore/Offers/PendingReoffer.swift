import SDPCore

/// The changes that we want in a call that is up. Changes that are wanted at the same time go into one offer.
package struct PendingReoffer: Equatable, Sendable {
    /// Whether to hold the far end. Nil: no change.
    package var held: Bool?
    /// Whether to report our move once the far end knows our new address.
    package var moves = false
    /// Whether to refresh the session.
    package var refreshes = false
    /// Whether the far end must show by a response that it hears us.
    package var proves = false
    /// Whether the first terms are still to be agreed on.
    package var agrees = false
    /// Whether the far end must learn that we do not do the ICE that it waits for.
    package var leavesICE = false
    /// Our candidates from now on. Nil: unchanged.
    package var ice: LocalICE?

    package init(
        held: Bool? = nil, moves: Bool = false, refreshes: Bool = false, proves: Bool = false, agrees: Bool = false,
        leavesICE: Bool = false, ice: LocalICE? = nil
    ) {
        (self.held, self.moves, self.refreshes, self.ice) = (held, moves, refreshes, ice)
        (self.proves, self.agrees, self.leavesICE) = (proves, agrees, leavesICE)
    }

    var isEmpty: Bool { !refreshes && changesNothing }
    private var changesNothing: Bool { held == nil && !moves && !proves && !agrees && !leavesICE }
    /// Whether it only refreshes the session, and changes nothing. A proof needs a re-INVITE, because the ACK completes
    /// a three-way handshake.
    var onlyRefreshes: Bool { refreshes && changesNothing }

    /// Combines this reoffer with an older one that was not granted yet. Where both set a value, the newer one counts.
    func over(_ older: PendingReoffer) -> PendingReoffer {
        PendingReoffer(
            held: held ?? older.held, moves: moves || older.moves, refreshes: refreshes || older.refreshes,
            proves: proves || older.proves, agrees: agrees || older.agrees, leavesICE: leavesICE || older.leavesICE,
            ice: ice ?? older.ice)
    }

    /// Reports terms that changed by an offer that no command waits for. Asterisk begins another handshake with each
    /// answer.
    func news(from before: NegotiatedMedia?, to agreed: NegotiatedMedia?) -> [OfferAnswer.Effect] {
        guard onlyRefreshes || leavesICE, let agreed, agreed != before else { return [] }
        return [.renegotiated(agreed)]
    }
}
