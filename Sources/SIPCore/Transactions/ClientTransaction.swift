import Base

/// A client transaction of either kind.
public enum ClientTransaction: Sendable {
    public enum Event: Equatable, Sendable {
        case provisional(SIPResponse)
        case success(SIPResponse)
        case failure(SIPResponse)
        case cancel(SIPRequest)
        case transportFailed
        case hurry
        case superseded
        case deadline

        init(_ response: SIPResponse) {
            self =
                response.status.isProvisional
                ? .provisional(response) : response.status.isSuccess ? .success(response) : .failure(response)
        }
    }

    case invite(InviteClientTransaction)
    case other(NonInviteClientTransaction)

    var flow: Flow {
        switch self {
        case .invite(let transaction): transaction.flow
        case .other(let transaction): transaction.flow
        }
    }

    /// The request as it was made, with its Via.
    var request: SIPRequest {
        switch self {
        case .invite(let transaction): transaction.request
        case .other(let transaction): transaction.request
        }
    }

    /// The request as it is sent.
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

    /// - Returns: The effects, and a CANCEL that is sent now in a transaction of its own.
    mutating func handle(_ event: Event, at now: Instant) -> InviteClientTransaction.Result {
        switch self {
        case .invite(var transaction):
            defer { self = .invite(transaction) }
            return transaction.handle(event, at: now)
        case .other(var transaction):
            defer { self = .other(transaction) }
            return (transaction.handle(event, at: now), nil)
        }
    }
}
