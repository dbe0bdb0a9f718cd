import SDPCore

/// What we want to change in a call that is up. All that is wanted at one time goes into one offer.
package struct PendingReoffer: Equatable, Sendable {
    /// Whether to hold the far end. Nil: no change.
    package var held: Bool?
    /// Whether our move is to be reported once the far end knows our new address.
    package var moves = false
    /// Whether the session is to be refreshed.
    package var refreshes = false
    /// Whether the far end is to show by a response that it hears us.
    package var proves = false
    /// Whether the first terms are still to be agreed.
    package var agrees = false
    /// Whether the far end is to learn that we do not do the ICE that it waits for.
    package var leavesICE = false
    /// Our candidates from now on. Nil: those that there are.
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
    /// Whether it only refreshes the session, and changes nothing. A proof takes a re-INVITE, because its ACK is the last
    /// of three messages.
    var onlyRefreshes: Bool { refreshes && changesNothing }

    /// This reoffer together with an older one that was not granted yet. Where both say something, the newer one
    /// counts.
    func over(_ older: PendingReoffer) -> PendingReoffer {
        PendingReoffer(
            held: held ?? older.held, moves: moves || older.moves, refreshes: refreshes || older.refreshes,
            proves: proves || older.proves, agrees: agrees || older.agrees, leavesICE: leavesICE || older.leavesICE,
            ice: ice ?? older.ice)
    }

    /// The new terms after an offer that no command waits for. Asterisk begins another handshake with each answer.
    func news(from before: NegotiatedMedia?, to agreed: NegotiatedMedia?) -> [OfferAnswer.Effect] {
        guard onlyRefreshes || leavesICE, let agreed, agreed != before else { return [] }
        return [.renegotiated(agreed)]
    }
}
