import Base

extension TransactionLayer {
    /// Whether one more transaction may begin.
    ///
    /// When there are as many as there may be, the oldest request that is over is forgotten: it comes again only if its
    /// answer was lost, and is then a new request. INVITEs that were accepted are never forgotten. So whoever floods us
    /// with requests that are answered at once pushes out what is over, and nobody is refused for it: a goodbye that
    /// comes meanwhile is heard.
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
