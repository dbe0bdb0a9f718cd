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
    public enum Event: Equatable, Sendable {
        /// A retransmission of the request.
        case request
        case provisional([UInt8])
        case final([UInt8])
        case transportFailed
        case deadline
    }
    public enum Effect: Equatable, Sendable {
        case send([UInt8])
        case transportFailed
    }

    public private(set) var state = State.trying
    private let isReliable: Bool
    private let timers: SIPTimers

    public init(isReliable: Bool, timers: SIPTimers) { (self.isReliable, self.timers) = (isReliable, timers) }

    public var deadline: Instant? {
        switch state {
        case .completed(_, let until): until
        case .trying, .proceeding, .terminated: nil
        }
    }

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        let (next, effects) = transition(event, at: now)
        state = next
        return effects
    }

    private func transition(_ event: Event, at now: Instant) -> (State, [Effect]) {
        switch (state, event) {
        case (.trying, .provisional(let response)), (.proceeding, .provisional(let response)):
            return (.proceeding(last: response), [.send(response)])
        case (.trying, .final(let response)), (.proceeding, .final(let response)):
            let next: State =
                isReliable ? .terminated : .completed(response: response, until: now + timers.timeout)
            return (next, [.send(response)])
        case (.proceeding(let last), .request), (.completed(let last, _), .request):
            return (state, [.send(last)])
        case (.trying, .transportFailed), (.proceeding, .transportFailed), (.completed, .transportFailed):
            return (.terminated, [.transportFailed])
        case (.completed(_, let until), .deadline):
            return (until <= now ? .terminated : state, [])

        case (.trying, .request), (.trying, .deadline), (.proceeding, .deadline),
            (.completed, .provisional), (.completed, .final),
            (.terminated, .request), (.terminated, .provisional), (.terminated, .final),
            (.terminated, .transportFailed), (.terminated, .deadline):
            return (state, [])
        }
    }
}
