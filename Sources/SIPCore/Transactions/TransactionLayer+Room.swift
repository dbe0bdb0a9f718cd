import Base

extension TransactionLayer {
    /// Whether one more transaction may begin.
    ///
    /// At the limit, the oldest finished server transaction is forgotten. Its request comes again only if its response
    /// was lost, and is then a new request. An INVITE that was accepted is never forgotten in this way. A flood of
    /// requests that are answered at once therefore displaces only finished transactions and causes no refusal: a BYE
    /// that comes meanwhile is still handled.
    mutating func makeRoom() -> Bool {
        guard count >= limit else { return true }
        var oldest: (id: ServerTransactionID, serial: UInt64)?
        for (id, server) in servers where server.machine.isOver {
            if let oldest, oldest.serial < server.serial { continue }
            oldest = (id, server.serial)
        }
        guard let oldest else { return false }
        servers[oldest.id] = nil
        deadlines.cancel(.server(oldest.id))
        return true
    }
}
