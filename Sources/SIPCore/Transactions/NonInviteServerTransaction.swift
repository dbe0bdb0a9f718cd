import Base

/// The server side of any request except INVITE and ACK (RFC 3261 §17.2.2).
///
///     trying ──1xx──► proceeding ──200–699──► completed ──J──► terminated
///        └───────────200–699──────────────────►┘
public struct NonInviteServerTransaction: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case trying
        case proceeding(last: [UInt8])
        /// Timer J.
        case completed(response: [UInt8], until: Instant)
        case terminated
    }

    public private(set) var state = State.trying
    public let id: ServerTransactionID
    /// The flow for its responses.
    public let flow: Flow
    private let timers: SIPTimers

    public init(_ id: ServerTransactionID, over flow: Flow, timers: SIPTimers) {
        (self.id, self.flow, self.timers) = (id, flow, timers)
    }

    public var deadline: Instant? {
        switch state {
        case .completed(_, let until): until
        case .trying, .proceeding, .terminated: nil
        }
    }

    public mutating func handle(_ event: ServerTransaction.Event, at now: Instant) -> [TransactionLayer.Effect] {
        let (next, effects) = transition(event, at: now)
        state = next
        return effects
    }

    private func transition(
        _ event: ServerTransaction.Event, at now: Instant
    ) -> (State, [TransactionLayer.Effect]) {
        switch (state, event) {
        case (.trying, .provisional(let response)), (.proceeding, .provisional(let response)):
            return (.proceeding(last: response), [.send(response, flow)])
        case (.trying, .success(let response)), (.trying, .failure(let response)),
            (.proceeding, .success(let response)), (.proceeding, .failure(let response)):
            let next: State =
                flow.transport.isReliable ? .terminated : .completed(response: response, until: now + timers.timeout)
            return (next, [.send(response, flow)])
        case (.proceeding(let last), .request), (.completed(let last, _), .request):
            return (state, [.send(last, flow)])
        case (.trying, .transportFailed), (.proceeding, .transportFailed), (.completed, .transportFailed):
            return (.terminated, [.transportFailed(.server(id))])
        case (.completed(_, let until), .deadline):
            return (until <= now ? .terminated : state, [])

        // Only an INVITE is acknowledged.
        case (.trying, .ack), (.proceeding, .ack), (.completed, .ack), (.terminated, .ack),
            (.trying, .request), (.trying, .deadline), (.proceeding, .deadline),
            (.completed, .provisional), (.completed, .success), (.completed, .failure),
            (.terminated, .request), (.terminated, .provisional), (.terminated, .success), (.terminated, .failure),
            (.terminated, .transportFailed), (.terminated, .deadline):
            return (state, [])
        }
    }
}
