import Base

extension TransactionLayer {
    /// Whether one more transaction, whose messages have so many bytes, may begin.
    ///
    /// At one of the limits, the oldest finished server transaction is forgotten. Its request comes again only if its
    /// response was lost, and is then a new request. An INVITE that was accepted is never forgotten in this way. So a
    /// flood of requests that are answered at once displaces only finished transactions and causes no refusal. A BYE
    /// during the flood is still handled.
    mutating func makeRoom(for bytes: Int = 0) -> Bool {
        while count >= limit || keptBytes + bytes > byteLimit {
            guard forgetOldest() else { return false }
        }
        return true
    }

    /// False if no server transaction is finished.
    private mutating func forgetOldest() -> Bool {
        var oldest: (id: ServerTransactionID, serial: UInt64)?
        for (id, server) in servers where server.transaction.isOver {
            if let oldest, oldest.serial < server.serial { continue }
            oldest = (id, server.serial)
        }
        guard let oldest else { return false }
        put(nil, oldest.id)
        deadlines.cancel(.server(oldest.id))
        return true
    }

    // MARK: Bookkeeping

    mutating func put(_ client: Client?, _ id: ClientTransactionID) {
        keptBytes += (client?.transaction.keptBytes ?? 0) - (clients[id]?.transaction.keptBytes ?? 0)
        clients[id] = client
    }

    mutating func put(_ server: Server?, _ id: ServerTransactionID) {
        keptBytes += (server?.transaction.keptBytes ?? 0) - (servers[id]?.transaction.keptBytes ?? 0)
        servers[id] = server
    }
}
