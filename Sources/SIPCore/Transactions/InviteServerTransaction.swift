import Base

/// The server side of an INVITE (RFC 3261 §17.2.1, RFC 6026 §8.5).
///
///     proceeding ──2xx──► accepted ──L──► terminated
///         └──300–699──► completed ──ACK──► confirmed ──I──► terminated
///                           └──H──► terminated
///
/// The transaction's user retransmits a 2xx itself until the ACK (§13.3.1.4, see `ResponseRetransmission`). State
/// `accepted` passes the 2xx on and absorbs repeated INVITEs. A transport failure is reported but does not end the
/// transaction (RFC 6026 §8.5), because the peer may open another connection. The transaction sends a 100 if its user
/// has sent no response after 200 ms.
public struct InviteServerTransaction: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// `trying` is when a 100 is due; nil after any response was sent.
        case proceeding(last: [UInt8]?, trying: Instant?)
        /// Timers G and H.
        case completed(response: [UInt8], retransmission: Retransmission?, timeout: Instant)
        /// Timer I.
        case confirmed(until: Instant)
        /// Timer L.
        case accepted(until: Instant)
        case terminated
    }

    public private(set) var state: State
    public let id: ServerTransactionID
    /// The flow for its responses.
    public let flow: Flow
    private let trying: [UInt8]
    private let timers: SIPTimers

    public init(_ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, timers: SIPTimers, at now: Instant) {
        (trying, self.id, self.flow, self.timers) = (request.response(.trying).bytes, id, flow, timers)
        state = .proceeding(last: nil, trying: now + timers.trying)
    }

    public var deadline: Instant? {
        switch state {
        case .proceeding(_, let trying): trying
        case .completed(_, let retransmission, let timeout): min(retransmission?.due ?? timeout, timeout)
        case .confirmed(let until), .accepted(let until): until
        case .terminated: nil
        }
    }

    /// Bytes of the responses that are kept. The final response has room from the beginning, because it repeats what
    /// the 100 repeats.
    var keptBytes: Int {
        switch state {
        case .proceeding(let last, _): trying.count + max(trying.count, last?.count ?? 0)
        case .completed(let response, _, _): trying.count + response.count
        case .confirmed, .accepted, .terminated: trying.count
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
        case (.proceeding(let last, _), .request):
            return (state, last.map { [.send($0, flow)] } ?? [])
        case (.proceeding, .provisional(let response)):
            return (.proceeding(last: response, trying: nil), [.send(response, flow)])
        case (.proceeding, .success(let response)):
            return (.accepted(until: now + timers.timeout), [.send(response, flow)])
        case (.proceeding, .failure(let response)):
            let retransmission = flow.transport.isReliable ? nil : Retransmission(after: timers.t1, at: now)
            let timeout = now + timers.timeout
            return (
                .completed(response: response, retransmission: retransmission, timeout: timeout),
                [.send(response, flow)]
            )
        case (.proceeding(_, let due), .deadline):
            guard let due, due <= now else { return (state, []) }
            return (.proceeding(last: trying, trying: nil), [.send(trying, flow)])

        case (.completed(let response, _, _), .request):
            return (state, [.send(response, flow)])
        case (.completed, .ack):
            return (flow.transport.isReliable ? .terminated : .confirmed(until: now + timers.t4), [])
        case (.completed(let response, let retransmission, let timeout), .deadline):
            guard now < timeout else { return (.terminated, [.timedOut(.server(id))]) }
            guard let retransmission, retransmission.due <= now else { return (state, []) }
            let next = retransmission.doubled(upTo: timers.t2, at: now)
            return (.completed(response: response, retransmission: next, timeout: timeout), [.send(response, flow)])

        // The ACK of a 2xx is for the transaction's user.
        case (.accepted, .ack(let ack, let flow)):
            return (state, [.acknowledgement(ack, flow)])
        case (.accepted, .success(let response)):
            return (state, [.send(response, flow)])
        case (.confirmed(let until), .deadline), (.accepted(let until), .deadline):
            return (until <= now ? .terminated : state, [])
        case (.proceeding, .transportFailed), (.completed, .transportFailed), (.accepted, .transportFailed):
            return (state, [.transportFailed(.server(id))])

        case (.proceeding, .ack),
            (.completed, .provisional), (.completed, .success), (.completed, .failure),
            (.confirmed, .request), (.confirmed, .ack), (.confirmed, .provisional), (.confirmed, .success),
            (.confirmed, .failure), (.confirmed, .transportFailed),
            (.accepted, .request), (.accepted, .provisional), (.accepted, .failure),
            (.terminated, .request), (.terminated, .ack), (.terminated, .provisional), (.terminated, .success),
            (.terminated, .failure), (.terminated, .transportFailed), (.terminated, .deadline):
            return (state, [])
        }
    }
}
