import SIPCore

/// Counts what a line remembers about others. Tests use it to check that this stays bounded.
package struct LineCensus: Equatable, Sendable {
    package let legs: Int
    package let transactions: Int
    /// Requests that wait until their hop is located.
    package let waiting: Int
    /// ACKs that are kept because a 2xx may come again.
    package let acknowledgements: Int
    /// Bytes of all messages that are kept because they may have to be sent again.
    package let bytes: Int
    /// Subscriptions at the account's server.
    package let subscriptions: Int
    /// Calls whose flows are known.
    package let dialogFlows: Int
    /// Calls whose far ends the account's server has named.
    package let parties: Int
}

extension LineMachine {
    package var census: LineCensus {
        let acknowledgements = sent.values.flatMap(\.acknowledgements.values)
        return LineCensus(
            legs: legs.count, transactions: layer.count, waiting: routing.count,
            acknowledgements: acknowledgements.count,
            bytes: acknowledgements.reduce(layer.keptBytes) { $0 + ($1?.bytes.count ?? 0) },
            subscriptions: subscriptions.count, dialogFlows: dialogFlows.count,
            parties: parties.count)
    }
}

extension TransactionLayer.Effect {
    fileprivate var bytes: [UInt8] { if case .send(let bytes, _) = self { bytes } else { [] } }
}
