import Base

extension TransactionLayer {
    /// Sends a request and waits for its responses.
    ///
    /// The layer adds its Via in place of any other one, so the same request may be sent again (with a new CSeq). The
    /// caller has chosen the flow (RFC 3263), and a stream for a request that exceeds `SIPLimits.datagram`.
    /// - Parameter request: Any request except ACK, which gets no response (see `acknowledge`), and CANCEL (see
    ///   `cancel`).
    public mutating func send(
        _ request: SIPRequest, over flow: Flow, at now: Instant
    ) throws(Full) -> (id: ClientTransactionID, effects: [Effect]) {
        precondition(request.method != .ack && request.method != .cancel, "ACK and CANCEL have their own functions")
        guard makeRoom() else { throw Full() }
        let branch = identifiers.makeBranch()
        let id = ClientTransactionID(branch: branch, method: request.method)
        return (id, [begin(id, sent(request, over: flow, branch: branch), over: flow, at: now)])
    }

    /// Sends the ACK of a 2xx. Keep the effect: it is needed again for each repeated 2xx (RFC 3261 §13.2.2.4).
    public mutating func acknowledge(_ ack: SIPRequest, over flow: Flow) -> Effect {
        .send(sent(ack, over: flow, branch: identifiers.makeBranch()).bytes, flow)
    }

    /// Cancels an INVITE as soon as a provisional response allows it (RFC 3261 §9.1). The INVITE still ends with a
    /// final response, mostly 487, or with `timedOut`. There is no effect on an INVITE that has its final response.
    public mutating func cancel(
        _ id: ClientTransactionID, because reason: Reason? = nil, at now: Instant
    ) -> [Effect] {
        guard let client = clients[id] else { return [] }
        return step(id, .cancel(client.transaction.request.cancellation(because: reason)), at: now)
    }

    /// Sends an INVITE without a response again at once, because its path is back. Its retransmissions start over; a
    /// stream needs none.
    public mutating func hurry(_ id: ClientTransactionID, at now: Instant) -> [Effect] { step(id, .hurry, at: now) }

    /// Gives up an INVITE whose path is gone. It is not retransmitted any more and fails without a report. A 2xx that
    /// still comes is delivered, because it has to be acknowledged.
    public mutating func supersede(_ id: ClientTransactionID, at now: Instant) {
        _ = step(id, .superseded, at: now)
    }

    /// Gives up on a request: it is not retransmitted any more, and a later response to it matches no transaction.
    ///
    /// Do not use this for an INVITE that the peer may have received: cancel it instead, and acknowledge its 2xx.
    public mutating func abandon(_ id: ClientTransactionID) {
        put(nil, id)
        deadlines.cancel(.client(id))
    }

    /// Answers a request. The same 2xx to an INVITE may be given again until the ACK comes. Any other response after a
    /// final one has no effect. A response to a transaction that has ended has no effect either.
    public mutating func respond(
        _ response: SIPResponse, to id: ServerTransactionID, at now: Instant
    ) -> [Effect] {
        guard servers[id] != nil else { return [] }
        servers[id]?.to = response.headers[.to]
        return step(id, ServerTransaction.Event(response), at: now)
    }

    /// Sends a final response once, and forgets the request. The request counts as new when it comes again.
    ///
    /// For requests that come too often. A response that is repeated until its ACK would send several packets for each
    /// forged request (RFC 3261 §8.2.7 allows a server without state).
    public mutating func respondOnce(
        _ response: SIPResponse, to id: ServerTransactionID, at now: Instant
    ) -> [Effect] {
        let effects = respond(response, to: id, at: now)
        put(nil, id)
        deadlines.cancel(.server(id))
        return effects
    }
}

extension TransactionLayer {
    /// A request as it is sent over a flow, with our Via.
    fileprivate func sent(_ request: SIPRequest, over flow: Flow, branch: String) -> SIPRequest {
        var via = Via(
            transport: flow.transport.name, host: sentBy ?? flow.local.host,
            port: sentBy == nil ? flow.local.port : nil, branch: branch)
        via.parameters.setFlag("rport")
        var request = request
        request.headers[.via] = nil
        request.headers.prepend(.via, via)
        return request
    }
}
