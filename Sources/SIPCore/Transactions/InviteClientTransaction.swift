import Base

/// The client side of an INVITE (RFC 3261 §17.1.1, RFC 6026 §8.4).
///
///     calling ──1xx──► proceeding
///        │ │2xx           │ │2xx
///        │ └──► accepted ◄──┘      accepted ──M──► terminated
///        └──300–699──► completed ◄─300–699─┘      completed ──D──► terminated
///
/// There is one addition: a CANCEL waits here until a provisional response allows it (§9.1). A cancelled INVITE is
/// given up 64·T1 after its CANCEL. The code that creates the transaction sends `bytes` once.
///
/// If the path of an INVITE is gone, its user has two choices. `hurry` sends it again at once over the new path.
/// `superseded` gives it up, as after a transport error, and waits only for a 2xx, which has to be acknowledged.
public struct InviteClientTransaction: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// Timers A and B.
        case calling(retransmission: Retransmission?, timeout: Instant, cancel: SIPRequest?)
        /// `givingUp` is set once CANCEL was sent.
        case proceeding(givingUp: Instant?)
        /// Timer M.
        case accepted(until: Instant)
        /// Timer D.
        case completed(ack: [UInt8], until: Instant)
        case terminated
    }
    /// What an event causes. The CANCEL, if there is one, is sent now, in a transaction of its own.
    public typealias Result = (effects: [TransactionLayer.Effect], cancel: SIPRequest?)

    public private(set) var state: State
    public let id: ClientTransactionID
    public let flow: Flow
    public let request: SIPRequest
    public let bytes: [UInt8]
    private let timers: SIPTimers

    public init(_ request: SIPRequest, _ id: ClientTransactionID, over flow: Flow, timers: SIPTimers, at now: Instant) {
        (self.request, bytes, self.id, self.flow, self.timers) = (request, request.bytes, id, flow, timers)
        let retransmission = flow.transport.isReliable ? nil : Retransmission(after: timers.t1, at: now)
        state = .calling(retransmission: retransmission, timeout: now + timers.timeout, cancel: nil)
    }

    public var deadline: Instant? {
        switch state {
        case .calling(let retransmission, let timeout, _): min(retransmission?.due ?? timeout, timeout)
        case .proceeding(let givingUp): givingUp
        case .accepted(let until), .completed(_, let until): until
        case .terminated: nil
        }
    }

    public mutating func handle(_ event: ClientTransaction.Event, at now: Instant) -> Result {
        let (next, effects, cancel) = transition(event, at: now)
        state = next
        return (effects, cancel)
    }

    private func transition(
        _ event: ClientTransaction.Event, at now: Instant
    ) -> (State, [TransactionLayer.Effect], cancel: SIPRequest?) {
        switch (state, event) {
        case (.calling(_, _, let cancel), .provisional(let response)):
            let givingUp = cancel.map { _ in now + timers.timeout }
            return (.proceeding(givingUp: givingUp), [.response(response, id, flow)], cancel)
        case (.calling(let retransmission, let timeout, _), .cancel(let cancel)):
            return (.calling(retransmission: retransmission, timeout: timeout, cancel: cancel), [], nil)
        case (.calling(let retransmission, let timeout, let cancel), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut(.client(id))], nil) }
            guard let retransmission, retransmission.due <= now else { return (state, [], nil) }
            let next = retransmission.doubled(at: now)
            return (.calling(retransmission: next, timeout: timeout, cancel: cancel), [.send(bytes, flow)], nil)

        case (.calling(.some, let timeout, let cancel), .hurry):
            let first = Retransmission(after: timers.t1, at: now)
            return (.calling(retransmission: first, timeout: timeout, cancel: cancel), [.send(bytes, flow)], nil)
        case (.calling, .superseded), (.proceeding, .superseded):
            return (.accepted(until: now + timers.timeout), [], nil)

        case (.proceeding, .provisional(let response)):
            return (state, [.response(response, id, flow)], nil)
        case (.proceeding(givingUp: nil), .cancel(let cancel)):
            return (.proceeding(givingUp: now + timers.timeout), [], cancel)
        case (.proceeding(let givingUp), .deadline):
            guard let givingUp, givingUp <= now else { return (state, [], nil) }
            return (.terminated, [.timedOut(.client(id))], nil)

        case (.calling, .success(let response)), (.proceeding, .success(let response)):
            return (.accepted(until: now + timers.timeout), [.response(response, id, flow)], nil)
        case (.accepted, .success(let response)):
            return (state, [.response(response, id, flow)], nil)
        case (.calling, .failure(let response)), (.proceeding, .failure(let response)):
            return fail(response, at: now)
        case (.completed(let ack, _), .failure):
            return (state, [.send(ack, flow)], nil)
        case (.calling, .transportFailed), (.proceeding, .transportFailed), (.completed, .transportFailed):
            return (.terminated, [.transportFailed(.client(id))], nil)
        case (.accepted(let until), .deadline), (.completed(_, let until), .deadline):
            return (until <= now ? .terminated : state, [], nil)

        case (.calling(nil, _, _), .hurry), (.proceeding, .cancel), (.proceeding, .hurry),
            (.accepted, .provisional), (.accepted, .failure), (.accepted, .cancel), (.accepted, .transportFailed),
            (.accepted, .hurry), (.accepted, .superseded),
            (.completed, .provisional), (.completed, .success), (.completed, .cancel), (.completed, .hurry),
            (.completed, .superseded),
            (.terminated, .provisional), (.terminated, .success), (.terminated, .failure), (.terminated, .cancel),
            (.terminated, .transportFailed), (.terminated, .hurry), (.terminated, .superseded),
            (.terminated, .deadline):
            return (state, [], nil)
        }
    }

    /// The transaction itself acknowledges a failure, over the flow of the INVITE. A stream loses nothing, so the
    /// transaction need not remember the failure there (timer D is zero).
    private func fail(
        _ response: SIPResponse, at now: Instant
    ) -> (State, [TransactionLayer.Effect], cancel: SIPRequest?) {
        let ack = request.acknowledgement(of: response).bytes
        let next: State = flow.transport.isReliable ? .terminated : .completed(ack: ack, until: now + timers.d)
        return (next, [.send(ack, flow), .response(response, id, flow)], nil)
    }
}
