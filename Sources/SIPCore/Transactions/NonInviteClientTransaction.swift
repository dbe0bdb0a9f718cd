import Base

/// The client side of any request except INVITE and ACK (RFC 3261 §17.1.2).
///
///     trying ──1xx──► proceeding ──200–699──► completed ──K──► terminated
///        └───────────200–699──────────────────►┘
///
/// The code that creates the transaction sends `bytes` once.
public struct NonInviteClientTransaction: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// Timers E and F.
        case trying(retransmission: Retransmission?, timeout: Instant)
        case proceeding(retransmission: Retransmission?, timeout: Instant)
        /// Timer K.
        case completed(until: Instant)
        case terminated
    }

    public private(set) var state: State
    public let id: ClientTransactionID
    public let flow: Flow
    public let request: SIPRequest
    public let bytes: [UInt8]
    private let timers: SIPTimers

    public init(_ request: SIPRequest, _ id: ClientTransactionID, over flow: Flow, timers: SIPTimers, at now: Instant) {
        (self.request, bytes, self.id, self.flow, self.timers) = (request, request.bytes, id, flow, timers)
        let retransmission = flow.transport.isReliable ? nil : Retransmission(after: timers.t1, at: now)
        state = .trying(retransmission: retransmission, timeout: now + timers.timeout)
    }

    public var deadline: Instant? {
        switch state {
        case .trying(let retransmission, let timeout), .proceeding(let retransmission, let timeout):
            min(retransmission?.due ?? timeout, timeout)
        case .completed(let until): until
        case .terminated: nil
        }
    }

    public mutating func handle(_ event: ClientTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        let (next, effects) = transition(event, at: now)
        state = next
        return effects
    }

    private func transition(
        _ event: ClientTransaction.Event, at now: Instant
    ) -> (State, [TransactionLayer.Effect]) {
        switch (state, event) {
        case (.trying(let retransmission, let timeout), .provisional(let response)),
            (.proceeding(let retransmission, let timeout), .provisional(let response)):
            return (.proceeding(retransmission: retransmission, timeout: timeout), [.response(response, id, flow)])
        case (.trying, .success(let response)), (.trying, .failure(let response)),
            (.proceeding, .success(let response)), (.proceeding, .failure(let response)):
            return (
                flow.transport.isReliable ? .terminated : .completed(until: now + timers.t4),
                [.response(response, id, flow)]
            )
        case (.trying, .transportFailed), (.proceeding, .transportFailed):
            return (.terminated, [.transportFailed(.client(id))])

        case (.trying(let retransmission, let timeout), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut(.client(id))]) }
            guard let retransmission, retransmission.due <= now else { return (state, []) }
            let next = retransmission.doubled(upTo: timers.t2, at: now)
            return (.trying(retransmission: next, timeout: timeout), [.send(bytes, flow)])
        case (.proceeding(let retransmission, let timeout), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut(.client(id))]) }
            guard let retransmission, retransmission.due <= now else { return (state, []) }
            let next = Retransmission(after: timers.t2, at: now)
            return (.proceeding(retransmission: next, timeout: timeout), [.send(bytes, flow)])
        case (.completed(let until), .deadline):
            return (until <= now ? .terminated : state, [])

        // Only an INVITE can be cancelled (RFC 3261 §9.1), hurried or superseded.
        case (.trying, .cancel), (.trying, .hurry), (.trying, .superseded),
            (.proceeding, .cancel), (.proceeding, .hurry), (.proceeding, .superseded),
            (.completed, .provisional), (.completed, .success), (.completed, .failure), (.completed, .transportFailed),
            (.completed, .cancel), (.completed, .hurry), (.completed, .superseded),
            (.terminated, .provisional), (.terminated, .success), (.terminated, .failure),
            (.terminated, .transportFailed), (.terminated, .cancel), (.terminated, .hurry), (.terminated, .superseded),
            (.terminated, .deadline):
            return (state, [])
        }
    }
}
