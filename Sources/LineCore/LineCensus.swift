import SIPCore

/// How much a line remembers of others, for whoever watches that it stays bounded.
package struct LineCensus: Equatable, Sendable {
    package let legs: Int
    package let transactions: Int
    /// What waits for its way to be found.
    package let waiting: Int
    /// ACKs that are kept, because a 2xx may come again.
    package let acknowledgements: Int
}

extension LineMachine {
    package var census: LineCensus {
        LineCensus(
            legs: legs.count, transactions: layer.count, waiting: routing.count,
            acknowledgements: sent.values.reduce(0) { $0 + $1.acknowledgements.count })
    }
}
