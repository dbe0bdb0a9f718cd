import Base

/// Matches messages to transactions and keeps the timers of all of them (RFC 3261 §17).
///
/// Its user sends requests and answers them; its owner carries bytes, and calls `deadlineReached` at `deadline`.
/// A transaction has one flow: a branch can be seen on the way, so a message that names it from elsewhere is dropped. An
/// honest response comes from where its request went (RFC 3261 §18.2.2, RFC 3581 §4), and ACK and CANCEL take the way of
/// their INVITE (RFC 3261 §9.1, §17.1.1.3).
/// Bounded: beyond `limit` transactions new requests are refused, theirs with 503 and ours with an error. Only a CANCEL of
/// ours needs no room, and each INVITE of ours has one at most.
/// Cost: a message costs its parsing and O(n) over live transactions, of which a phone has a handful.
public struct TransactionLayer: Sendable {
    public enum Effect: Equatable, Sendable {
        case send([UInt8], Flow)
        /// A new request that waits for `respond`. Never an ACK or a CANCEL.
        case request(SIPRequest, ServerTransactionID, Flow)
        /// The ACK of a 2xx, or one that belongs to nothing: its dialog knows.
        case acknowledgement(SIPRequest, Flow)
        /// CANCEL of an INVITE. It was answered; the INVITE should now be, with 487, unless it already is.
        case cancelled(ServerTransactionID, by: SIPRequest)
        case response(SIPResponse, ClientTransactionID, Flow)
        /// For a client: no final response. For a server: no ACK of a failure.
        case timedOut(TransactionID)
        case transportFailed(TransactionID)
        case dropped(Drop)
    }

    /// Input that led to nothing. For whoever counts.
    public enum Drop: Equatable, Sendable {
        case malformed(SIPParseError)
        /// No transaction of ours, or none any more.
        case unmatchedResponse
        /// More than one Via: the response was meant for another element (RFC 3261 §8.1.3.3).
        case misroutedResponse
        /// A response, a repetition, an ACK or a CANCEL that names a transaction of ours and came another way than it.
        case otherFlow
        /// Its sender has no part in what it is about.
        case stranger
        case tooManyTransactions
        /// One more far end answers an INVITE than there may be.
        case tooManyForks
    }

    /// As many transactions as there may be exist already.
    public struct Full: Error, Equatable, Sendable {}

    struct Client: Sendable {
        var machine: ClientMachine
        let request: SIPRequest
        let flow: Flow
        /// In order of their making: what happens to many at once happens in the same order in every run.
        let serial: UInt64
    }

    struct Server: Sendable {
        var machine: ServerMachine
        /// Where its responses go.
        let flow: Flow
        /// Where its request came from. Whatever else belongs to it comes from there.
        let source: Flow
        let serial: UInt64
        /// Nil inside a dialog, and for a request that only came another way.
        let identity: RequestIdentity?
        /// The To of our last response: the response to CANCEL has the same tag (RFC 3261 §9.2).
        var to: String?
    }

    let timers: SIPTimers
    let limit: Int
    var identifiers: SIPIdentifiers
    var clients: [ClientTransactionID: Client] = [:]
    var servers: [ServerTransactionID: Server] = [:]
    var deadlines = DeadlineTable<TransactionID>()
    private var made: UInt64 = 0

    public init(identifiers: SIPIdentifiers, timers: SIPTimers = SIPTimers(), limit: Int = 256) {
        precondition(limit > 0, "a layer holds at least one transaction")
        (self.identifiers, self.timers, self.limit) = (identifiers, timers, limit)
    }

    public var count: Int { clients.count + servers.count }
    public var deadline: Instant? { deadlines.earliest }

    /// Lets every timer run that is due.
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

    /// A flow is broken: whatever depends on it hears so.
    public mutating func transportFailed(_ flow: Flow, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for (id, _) in clients.filter({ $0.value.flow == flow }).sorted(by: { $0.value.serial < $1.value.serial }) {
            effects += step(id, .transportFailed, at: now)
        }
        for (id, _) in servers.filter({ $0.value.flow == flow }).sorted(by: { $0.value.serial < $1.value.serial }) {
            effects += step(id, .transportFailed, at: now)
        }
        return effects
    }

    /// This machine did not send a datagram. A request that it carried has failed; a response goes again when its request does.
    public mutating func unsent(_ bytes: Span<UInt8>, at now: Instant) -> [Effect] {
        guard case .request(let request)? = try? SIPMessage(bytes), let branch = try? request.headers.topVia.branch
        else {
            return []
        }
        return step(ClientTransactionID(branch: branch, method: request.method), .transportFailed, at: now)
    }

    /// Gives an event to a client transaction, turns what it answers into effects, and keeps its timer.
    mutating func step(_ id: ClientTransactionID, _ event: ClientMachine.Event, at now: Instant) -> [Effect] {
        guard var client = clients[id] else { return [] }
        let steps = client.machine.handle(event, at: now)
        clients[id] = client.machine.isTerminated ? nil : client
        keep(.client(id), client.machine.deadline)
        var effects: [Effect] = []
        for step in steps {
            switch step {
            case .send(let bytes): effects.append(.send(bytes, client.flow))
            case .deliver(let response): effects.append(.response(response, id, client.flow))
            case .cancel(let request): effects.append(begin(id.cancel, request, over: client.flow, at: now))
            case .timedOut: effects.append(.timedOut(.client(id)))
            case .transportFailed: effects.append(.transportFailed(.client(id)))
            }
        }
        return effects
    }

    mutating func step(
        _ id: ServerTransactionID, _ event: ServerMachine.Event, ack: SIPRequest? = nil, at now: Instant
    ) -> [Effect] {
        guard var server = servers[id] else { return [] }
        let steps = server.machine.handle(event, at: now)
        servers[id] = server.machine.isTerminated ? nil : server
        keep(.server(id), server.machine.deadline)
        return steps.compactMap { step in
            switch step {
            case .send(let bytes): .send(bytes, server.flow)
            case .acknowledged: ack.map { .acknowledgement($0, server.source) }
            case .timedOut: .timedOut(.server(id))
            case .transportFailed: .transportFailed(.server(id))
            }
        }
    }

    /// Starts a client transaction and sends its request for the first time.
    mutating func begin(
        _ id: ClientTransactionID, _ request: SIPRequest, over flow: Flow, at now: Instant
    ) -> Effect {
        let reliable = flow.transport.isReliable
        let machine = ClientMachine(request, isReliable: reliable, timers: timers, at: now)
        clients[id] = Client(machine: machine, request: request, flow: flow, serial: nextSerial())
        keep(.client(id), machine.deadline)
        return .send(machine.bytes, flow)
    }

    mutating func nextSerial() -> UInt64 {
        made += 1
        return made
    }

    mutating func keep(_ id: TransactionID, _ deadline: Instant?) {
        if let deadline { deadlines.set(id, at: deadline) } else { deadlines.cancel(id) }
    }
}
