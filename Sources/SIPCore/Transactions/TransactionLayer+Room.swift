import Base

extension TransactionLayer {
    /// Whether one more transaction may begin.
    ///
    /// When there are as many as there may be, the oldest request that has its answer is forgotten, unless it is an INVITE:
    /// it comes again only if that answer was lost, and is then a new request. So whoever floods us with requests that are
    /// answered at once pushes out what is over, and nobody is refused for it.
    mutating func makeRoom() -> Bool {
        guard count >= limit else { return true }
        var oldest: (id: ServerTransactionID, serial: UInt64)?
        for (id, server) in servers {
            guard case .other = server.machine, !server.machine.isUnanswered else { continue }
            if let oldest, oldest.serial < server.serial { continue }
            oldest = (id, server.serial)
        }
        guard let oldest else { return false }
        servers[oldest.id] = nil
        deadlines.cancel(.server(oldest.id))
        return true
    }
}
