/// What we want changed in a call that is up. All that is wanted at one time goes into one offer.
package struct PendingReoffer: Equatable, Sendable {
    /// Whether to hold the far end; nil: as it is.
    package var held: Bool?
    /// Somebody waits to hear that the far end knows our new address.
    package var moves = false
    /// The session is about to expire.
    package var refreshes = false

    package init(held: Bool? = nil, moves: Bool = false, refreshes: Bool = false) {
        (self.held, self.moves, self.refreshes) = (held, moves, refreshes)
    }

    var isEmpty: Bool { held == nil && !moves && !refreshes }
    /// Nothing is to change.
    var onlyRefreshes: Bool { refreshes && held == nil && !moves }

    /// This reoffer and an older one that was not granted yet; where both say something, the newer one counts.
    func over(_ older: PendingReoffer) -> PendingReoffer {
        PendingReoffer(held: held ?? older.held, moves: moves || older.moves, refreshes: refreshes || older.refreshes)
    }
}
