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
    public enum Event: Equatable, Sendable {
        case provisional(SIPResponse)
        case final(SIPResponse)
        case transportFailed
        case deadline
    }
    public enum Effect: Equatable, Sendable {
        case send([UInt8])
        case deliver(SIPResponse)
        case timedOut
        case transportFailed
    }

    public private(set) var state: State
    public let bytes: [UInt8]
    private let isReliable: Bool
    private let timers: SIPTimers

    public init(_ request: SIPRequest, isReliable: Bool, timers: SIPTimers, at now: Instant) {
        (bytes, self.isReliable, self.timers) = (request.bytes, isReliable, timers)
        let retransmission = isReliable ? nil : Retransmission(after: timers.t1, at: now)
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

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        let (next, effects) = transition(event, at: now)
        state = next
        return effects
    }

    private func transition(_ event: Event, at now: Instant) -> (State, [Effect]) {
        switch (state, event) {
        case (.trying(let retransmission, let timeout), .provisional(let response)),
            (.proceeding(let retransmission, let timeout), .provisional(let response)):
            return (.proceeding(retransmission: retransmission, timeout: timeout), [.deliver(response)])
        case (.trying, .final(let response)), (.proceeding, .final(let response)):
            return (isReliable ? .terminated : .completed(until: now + timers.t4), [.deliver(response)])
        case (.trying, .transportFailed), (.proceeding, .transportFailed):
            return (.terminated, [.transportFailed])

        case (.trying(let retransmission, let timeout), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut]) }
            guard let retransmission, retransmission.due <= now else { return (state, []) }
            let next = retransmission.doubled(upTo: timers.t2, at: now)
            return (.trying(retransmission: next, timeout: timeout), [.send(bytes)])
        case (.proceeding(let retransmission, let timeout), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut]) }
            guard let retransmission, retransmission.due <= now else { return (state, []) }
            let next = Retransmission(after: timers.t2, at: now)
            return (.proceeding(retransmission: next, timeout: timeout), [.send(bytes)])
        case (.completed(let until), .deadline):
            return (until <= now ? .terminated : state, [])

        case (.completed, .provisional), (.completed, .final), (.completed, .transportFailed),
            (.terminated, .provisional), (.terminated, .final), (.terminated, .transportFailed),
            (.terminated, .deadline):
            return (state, [])
        }
    }
}
