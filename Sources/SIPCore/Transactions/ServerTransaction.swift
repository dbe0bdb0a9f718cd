import Base

/// A server transaction of either kind, with the events and effects of an INVITE transaction, which has more of them.
enum ServerTransaction: Sendable {
    typealias Event = InviteServerTransaction.Event
    typealias Effect = InviteServerTransaction.Effect

    case invite(InviteServerTransaction)
    case other(NonInviteServerTransaction)

    init(_ request: SIPRequest, isReliable: Bool, timers: SIPTimers, at now: Instant) {
        self =
            request.method == .invite
            ? .invite(InviteServerTransaction(request, isReliable: isReliable, timers: timers, at: now))
            : .other(NonInviteServerTransaction(isReliable: isReliable, timers: timers))
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

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch self {
        case .invite(var transaction):
            defer { self = .invite(transaction) }
            return transaction.handle(event, at: now)
        case .other(var transaction):
            // Only an INVITE is acknowledged.
            guard let event = NonInviteServerTransaction.Event(event) else { return [] }
            defer { self = .other(transaction) }
            return transaction.handle(event, at: now).map(Effect.init)
        }
    }
}

extension NonInviteServerTransaction.Event {
    fileprivate init?(_ event: InviteServerTransaction.Event) {
        switch event {
        case .request: self = .request
        case .ack: return nil
        case .provisional(let bytes): self = .provisional(bytes)
        case .success(let bytes), .failure(let bytes): self = .final(bytes)
        case .transportFailed: self = .transportFailed
        case .deadline: self = .deadline
        }
    }
}

extension InviteServerTransaction.Effect {
    fileprivate init(_ effect: NonInviteServerTransaction.Effect) {
        switch effect {
        case .send(let bytes): self = .send(bytes)
        case .transportFailed: self = .transportFailed
        }
    }
}

extension InviteServerTransaction.Event {
    init(_ response: SIPResponse) {
        let bytes = response.bytes
        self =
            response.status.isProvisional
            ? .provisional(bytes) : response.status.isSuccess ? .success(bytes) : .failure(bytes)
    }
}
