import Base

/// A client transaction of either kind, with the events and effects of an INVITE transaction, which has more of them.
enum ClientTransaction: Sendable {
    typealias Event = InviteClientTransaction.Event
    typealias Effect = InviteClientTransaction.Effect

    case invite(InviteClientTransaction)
    case other(NonInviteClientTransaction)

    init(_ request: SIPRequest, isReliable: Bool, timers: SIPTimers, at now: Instant) {
        self =
            request.method == .invite
            ? .invite(InviteClientTransaction(request, isReliable: isReliable, timers: timers, at: now))
            : .other(NonInviteClientTransaction(request, isReliable: isReliable, timers: timers, at: now))
    }

    var bytes: [UInt8] {
        switch self {
        case .invite(let transaction): transaction.bytes
        case .other(let transaction): transaction.bytes
        }
    }

    /// Bytes of the messages that are kept: the request, as it is sent and as it was made, and its ACK.
    var keptBytes: Int {
        switch self {
        case .invite(let transaction):
            switch transaction.state {
            case .completed(let ack, _): 2 * transaction.bytes.count + ack.count
            case .calling, .proceeding, .accepted, .terminated: 2 * transaction.bytes.count
            }
        case .other(let transaction): 2 * transaction.bytes.count
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

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch self {
        case .invite(var transaction):
            defer { self = .invite(transaction) }
            return transaction.handle(event, at: now)
        case .other(var transaction):
            // Only an INVITE can be cancelled (RFC 3261 §9.1), hurried or superseded.
            guard let event = NonInviteClientTransaction.Event(event) else { return [] }
            defer { self = .other(transaction) }
            return transaction.handle(event, at: now).map(Effect.init)
        }
    }
}

extension NonInviteClientTransaction.Event {
    fileprivate init?(_ event: InviteClientTransaction.Event) {
        switch event {
        case .provisional(let response): self = .provisional(response)
        case .success(let response), .failure(let response): self = .final(response)
        case .cancel, .hurry, .superseded: return nil
        case .transportFailed: self = .transportFailed
        case .deadline: self = .deadline
        }
    }
}

extension InviteClientTransaction.Effect {
    fileprivate init(_ effect: NonInviteClientTransaction.Effect) {
        switch effect {
        case .send(let bytes): self = .send(bytes)
        case .deliver(let response): self = .deliver(response)
        case .timedOut: self = .timedOut
        case .transportFailed: self = .transportFailed
        }
    }
}

extension InviteClientTransaction.Event {
    init(_ response: SIPResponse) {
        self =
            response.status.isProvisional
            ? .provisional(response) : response.status.isSuccess ? .success(response) : .failure(response)
    }
}
