import Base

/// Matches messages to transactions and keeps the timers of all of them (RFC 3261 §17).
///
/// Its user sends requests and answers those of peers. Its owner transfers the bytes, and calls `deadlineReached` at
/// `deadline`. A transaction has one flow. Other hosts may see its branch on the path, so a message that names the
/// branch but comes over another flow is dropped. A genuine response comes from the address that its request went to
/// (RFC 3261 §18.2.2, RFC 3581 §4). ACK and CANCEL take the path of their INVITE (RFC 3261 §9.1, §17.1.1.3).
///
/// Bounded: beyond `limit` transactions, or beyond `byteLimit` bytes of kept messages, new requests are refused, those
/// of peers with 503 and our own with an error. Only our CANCELs are exempt from the limit, and each of our INVITEs has
/// at most one. Cost: a message costs its parsing and O(n) over live transactions, of which a phone has a handful.
public struct TransactionLayer: Sendable {
    public enum Effect: Equatable, Sendable {
        case send([UInt8], Flow)
        /// A new request that waits for `respond`. Never an ACK or a CANCEL.
        case request(SIPRequest, ServerTransactionID, Flow)
        /// The ACK of a 2xx, or an ACK that matches no transaction: its dialog has to handle it.
        case acknowledgement(SIPRequest, Flow)
        /// A CANCEL came for an INVITE that has no final response, and was answered. The INVITE should now be answered
        /// with 487.
        case cancelled(ServerTransactionID, by: SIPRequest)
        case response(SIPResponse, ClientTransactionID, Flow)
        /// No final response came to a client transaction, or no ACK of a failure to a server transaction.
        case timedOut(TransactionID)
        case transportFailed(TransactionID)
        case dropped(Drop)
    }

    /// Why input was dropped. The reasons are counted.
    public enum Drop: Equatable, Sendable {
        case malformed(SIPParseError)
        /// The response matches no transaction that exists.
        case unmatchedResponse
        /// More than one Via: the response was meant for another element (RFC 3261 §8.1.3.3).
        case misroutedResponse
        /// A response, a retransmission or an ACK that names one of our transactions came over another flow.
        case otherFlow
        /// Messages from this flow are not admitted.
        case stranger
        case tooManyTransactions
        /// More far ends answered an INVITE than the limit allows.
        case tooManyForks
    }

    /// The number of transactions is at the limit.
    public struct Full: Error, Equatable, Sendable {}

    struct Client: Sendable {
        var transaction: ClientTransaction
        /// The order of creation. An event for many transactions is handled in this order, so that every run is the
        /// same.
        let serial: UInt64
    }

    struct Server: Sendable {
        var transaction: ServerTransaction
        /// The flow that its request came over. Retransmissions, ACK and CANCEL must come over it too.
        let source: Flow
        let serial: UInt64
        /// Nil for a request that has none, and for a merged request.
        let identity: MergedRequestKey?
        /// The To of our last response: the response to CANCEL has the same tag (RFC 3261 §9.2).
        var to: String?
    }

    let timers: SIPTimers
    let sentBy: String?
    let limit: Int
    let byteLimit: Int
    var identifiers: SIPIdentifiers
    var clients: [ClientTransactionID: Client] = [:]
    var servers: [ServerTransactionID: Server] = [:]
    var deadlines = DeadlineTable<TransactionID>()
    /// Bytes of the messages that all transactions keep.
    public internal(set) var keptBytes = 0
    private var made: UInt64 = 0

    /// - Parameter sentBy: The host in the Via of our requests, without a port. Nil: the own address of their flow.
    public init(
        identifiers: SIPIdentifiers, timers: SIPTimers = SIPTimers(), sentBy: String? = nil, limit: Int = 256,
        byteLimit: Int = SIPLimits.transactions
    ) {
        precondition(limit > 0 && byteLimit > 0, "a layer holds at least one transaction")
        (self.identifiers, self.timers, self.sentBy) = (identifiers, timers, sentBy)
        (self.limit, self.byteLimit) = (limit, byteLimit)
    }

    public var count: Int { clients.count + servers.count }
    public var deadline: Instant? { deadlines.earliest }

    /// Fires every timer that is due.
    public mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let id = deadlines.popDue(at: now) {
            switch id {
            case .client(let id): effects += step(id, .deadline, at: now)
            case .server(let id): effects += step(id, .deadline, at: now)
            }
        }
        return effects
    }

    /// Reports a broken flow to every transaction that uses it.
    public mutating func transportFailed(_ flow: Flow, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for (id, _) in clients.filter({ $0.value.transaction.flow == flow }).sorted(by: {
            $0.value.serial < $1.value.serial
        }) {
            effects += step(id, .transportFailed, at: now)
        }
        for (id, _) in servers.filter({ $0.value.transaction.flow == flow }).sorted(by: {
            $0.value.serial < $1.value.serial
        }) {
            effects += step(id, .transportFailed, at: now)
        }
        return effects
    }

    /// Reports that this host did not send a datagram. If it was a request, its transaction fails. A response is sent
    /// again when its request is retransmitted.
    public mutating func unsent(_ bytes: Span<UInt8>, at now: Instant) -> [Effect] {
        guard case .request(let request)? = try? SIPMessage(bytes), let branch = try? request.headers.topVia.branch
        else {
            return []
        }
        return step(ClientTransactionID(branch: branch, method: request.method), .transportFailed, at: now)
    }

    /// Passes an event to a client transaction, and updates its timer.
    mutating func step(_ id: ClientTransactionID, _ event: ClientTransaction.Event, at now: Instant) -> [Effect] {
        guard var client = clients[id] else { return [] }
        let (effects, cancel) = client.transaction.handle(event, at: now)
        put(client.transaction.isTerminated ? nil : client, id)
        keep(.client(id), client.transaction.deadline)
        return effects + (cancel.map { [begin(id.cancel, $0, over: client.transaction.flow, at: now)] } ?? [])
    }

    mutating func step(_ id: ServerTransactionID, _ event: ServerTransaction.Event, at now: Instant) -> [Effect] {
        guard var server = servers[id] else { return [] }
        let effects = server.transaction.handle(event, at: now)
        put(server.transaction.isTerminated ? nil : server, id)
        keep(.server(id), server.transaction.deadline)
        return effects
    }

    /// Starts a client transaction and sends its request for the first time.
    mutating func begin(
        _ id: ClientTransactionID, _ request: SIPRequest, over flow: Flow, at now: Instant
    ) -> Effect {
        let transaction: ClientTransaction =
            request.method == .invite
            ? .invite(InviteClientTransaction(request, id, over: flow, timers: timers, at: now))
            : .other(NonInviteClientTransaction(request, id, over: flow, timers: timers, at: now))
        put(Client(transaction: transaction, serial: nextSerial()), id)
        keep(.client(id), transaction.deadline)
        return .send(transaction.bytes, flow)
    }

    mutating func nextSerial() -> UInt64 {
        made += 1
        return made
    }

    mutating func keep(_ id: TransactionID, _ deadline: Instant?) {
        if let deadline { deadlines.set(id, at: deadline) } else { deadlines.cancel(id) }
    }
}

extension TransactionLayer {
    /// Sends a request and waits for its responses.
    ///
    /// The layer adds its Via in place of any other one, so the same request may be sent again (with a new CSeq). The
    /// caller has chosen the flow (RFC 3263), and a stream for a request that exceeds `SIPLimits.datagram`.
    /// - Parameter request: Any request except ACK, which gets no response (see `acknowledge`), and CANCEL (see
    ///   `cancel`).
    public mutating func send(
        _ request: SIPRequest, over flow: Flow, at now: Instant
    ) throws(Full) -> (id: ClientTransactionID, effects: [Effect]) {
        precondition(request.method != .ack && request.method != .cancel, "ACK and CANCEL have their own functions")
        guard makeRoom() else { throw Full() }
        let branch = identifiers.makeBranch()
        let id = ClientTransactionID(branch: branch, method: request.method)
        return (id, [begin(id, sent(request, over: flow, branch: branch), over: flow, at: now)])
    }

    /// Sends the ACK of a 2xx. Keep the effect: it is needed again for each repeated 2xx (RFC 3261 §13.2.2.4).
    public mutating func acknowledge(_ ack: SIPRequest, over flow: Flow) -> Effect {
        .send(sent(ack, over: flow, branch: identifiers.makeBranch()).bytes, flow)
    }

    /// Cancels an INVITE as soon as a provisional response allows it (RFC 3261 §9.1). The INVITE still ends with a
    /// final response, mostly 487, or with `timedOut`. There is no effect on an INVITE that has its final response.
    public mutating func cancel(
        _ id: ClientTransactionID, because reason: Reason? = nil, at now: Instant
    ) -> [Effect] {
        guard let client = clients[id] else { return [] }
        return step(id, .cancel(client.transaction.request.cancellation(because: reason)), at: now)
    }

    /// Sends an INVITE without a response again at once, because its path is back. Its retransmissions start over; a
    /// stream needs none.
    public mutating func hurry(_ id: ClientTransactionID, at now: Instant) -> [Effect] { step(id, .hurry, at: now) }

    /// Gives up an INVITE whose path is gone. It is not retransmitted any more and fails without a report. A 2xx that
    /// still comes is delivered, because it has to be acknowledged.
    public mutating func supersede(_ id: ClientTransactionID, at now: Instant) {
        _ = step(id, .superseded, at: now)
    }

    /// Gives up on a request: it is not retransmitted any more, and a later response to it matches no transaction.
    ///
    /// Do not use this for an INVITE that the peer may have received: cancel it instead, and acknowledge its 2xx.
    public mutating func abandon(_ id: ClientTransactionID) {
        put(nil, id)
        deadlines.cancel(.client(id))
    }

    /// Answers a request. The same 2xx to an INVITE may be given again until the ACK comes. Any other response after a
    /// final one has no effect. A response to a transaction that has ended has no effect either.
    public mutating func respond(
        _ response: SIPResponse, to id: ServerTransactionID, at now: Instant
    ) -> [Effect] {
        guard servers[id] != nil else { return [] }
        servers[id]?.to = response.headers[.to]
        return step(id, ServerTransaction.Event(response), at: now)
    }

    /// Sends a final response once, and forgets the request. The request counts as new when it comes again.
    ///
    /// For requests that come too often. A response that is repeated until its ACK would send several packets for each
    /// forged request (RFC 3261 §8.2.7 allows a server without state).
    public mutating func respondOnce(
        _ response: SIPResponse, to id: ServerTransactionID, at now: Instant
    ) -> [Effect] {
        let effects = respond(response, to: id, at: now)
        put(nil, id)
        deadlines.cancel(.server(id))
        return effects
    }
}

extension TransactionLayer {
    /// A request as it is sent over a flow, with our Via.
    fileprivate func sent(_ request: SIPRequest, over flow: Flow, branch: String) -> SIPRequest {
        var via = Via(
            transport: flow.transport.name, host: sentBy ?? flow.local.host,
            port: sentBy == nil ? flow.local.port : nil, branch: branch)
        via.parameters.setFlag("rport")
        var request = request
        request.headers[.via] = nil
        request.headers.prepend(.via, via)
        return request
    }
}

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
