import SIPCore

/// How much a line remembers of others. Tests watch by it that this stays bounded.
package struct LineCensus: Equatable, Sendable {
    package let legs: Int
    package let transactions: Int
    /// Requests that wait until their hop is located.
    package let waiting: Int
    /// ACKs that are kept because a 2xx may come again.
    package let acknowledgements: Int
}

extension LineMachine {
    package var census: LineCensus {
        LineCensus(
            legs: legs.count, transactions: layer.count, waiting: routing.count,
            acknowledgements: sent.values.reduce(0) { $0 + $1.acknowledgements.count })
    }
}
