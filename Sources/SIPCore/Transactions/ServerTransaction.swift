import Base

/// A server transaction of either kind.
public enum ServerTransaction: Sendable {
    public enum Event: Equatable, Sendable {
        /// A retransmission of the request.
        case request
        /// An ACK, and the flow that it came over.
        case ack(SIPRequest, Flow)
        case provisional([UInt8])
        case success([UInt8])
        case failure([UInt8])
        case transportFailed
        case deadline

        init(_ response: SIPResponse) {
            let bytes = response.bytes
            self =
                response.status.isProvisional
                ? .provisional(bytes) : response.status.isSuccess ? .success(bytes) : .failure(bytes)
        }
    }

    case invite(InviteServerTransaction)
    case other(NonInviteServerTransaction)

    /// - Parameter flow: The flow for its responses.
    init(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, timers: SIPTimers, at now: Instant) {
        self =
            request.method == .invite
            ? .invite(InviteServerTransaction(request, id, over: flow, timers: timers, at: now))
            : .other(NonInviteServerTransaction(id, over: flow, timers: timers))
    }

    /// The flow for its responses.
    var flow: Flow {
        switch self {
        case .invite(let transaction): transaction.flow
        case .other(let transaction): transaction.flow
        }
    }

    /// Bytes of the responses that are kept.
    var keptBytes: Int {
        switch self {
        case .invite(let transaction): transaction.keptBytes
        case .other(let transaction):
            switch transaction.state {
            case .proceeding(let response), .completed(let response, _): response.count
            case .trying, .terminated: 0
            }
        }
    }

    var deadline: Instant? {
        switch self {
        case .invite(let transaction): transaction.deadline
        case .other(let transaction): transaction.deadline
        }
    }

    var isTerminated: Bool {
        switch self {
        case .invite(let transaction): transaction.state == .terminated
        case .other(let transaction): transaction.state == .terminated
        }
    }

    /// Whether no final response was sent yet.
    var isUnanswered: Bool {
        switch self {
        case .invite(let transaction):
            switch transaction.state {
            case .proceeding: true
            case .completed, .confirmed, .accepted, .terminated: false
            }
        case .other(let transaction):
            switch transaction.state {
            case .trying, .proceeding: true
            case .completed, .terminated: false
            }
        }
    }

    /// Whether the request was refused, or is not an INVITE and has its final response: only retransmissions are left.
    var isOver: Bool {
        switch self {
        case .invite(let transaction):
            switch transaction.state {
            case .completed, .confirmed: true
            case .proceeding, .accepted, .terminated: false
            }
        case .other: !isUnanswered
        }
    }

    mutating func handle(_ event: Event, at now: Instant) -> [TransactionLayer.Effect] {
        switch self {
        case .invite(var transaction):
            defer { self = .invite(transaction) }
            return transaction.handle(event, at: now)
        case .other(var transaction):
            defer { self = .other(transaction) }
            return transaction.handle(event, at: now)
        }
    }
}
