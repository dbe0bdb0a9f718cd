import Base

extension TransactionLayer {
    /// Sends a request and waits for its responses.
    ///
    /// The layer adds its Via; one that is there is replaced, so the same request may be sent again (with a new
    /// CSeq). Whoever calls has chosen the flow (RFC 3263), and a stream for what exceeds `SIPLimits.datagram`.
    /// - Parameter request: Any but ACK, which waits for nothing: see `acknowledge`.
    public mutating func send(
        _ request: SIPRequest, over flow: Flow, at now: Instant
    ) throws(Full) -> (id: ClientTransactionID, effects: [Effect]) {
        precondition(request.method != .ack && request.method != .cancel, "ACK and CANCEL have calls of their own")
        guard makeRoom() else { throw Full() }
        let branch = identifiers.makeBranch()
        let id = ClientTransactionID(branch: branch, method: request.method)
        return (id, [begin(id, request.sent(over: flow, branch: branch), over: flow, at: now)])
    }

    /// The ACK of a 2xx on its way. Keep the effect: each repeated 2xx asks for it again (RFC 3261 §13.2.2.4).
    public mutating func acknowledge(_ ack: SIPRequest, over flow: Flow) -> Effect {
        .send(ack.sent(over: flow, branch: identifiers.makeBranch()).bytes, flow)
    }

    /// Cancels an INVITE as soon as a provisional response allows it (RFC 3261 §9.1). Its end is still a final
    /// response, mostly 487, or `timedOut`. Without effect on one that has its final response.
    public mutating func cancel(
        _ id: ClientTransactionID, because reason: Reason? = nil, at now: Instant
    ) -> [Effect] {
        guard let client = clients[id] else { return [] }
        return step(id, .cancel(client.request.cancellation(because: reason)), at: now)
    }

    /// Gives up on a request: it is not repeated any more, and what still answers it belongs to nothing.
    ///
    /// Not for an INVITE that may have been heard: it is cancelled, and its 2xx acknowledged.
    public mutating func abandon(_ id: ClientTransactionID) {
        clients[id] = nil
        deadlines.cancel(.client(id))
    }

    /// Answers a request. The same 2xx of an INVITE may be given again until ACK comes; whatever else comes after
    /// a final response has no effect, nor has an answer to a transaction that is over.
    public mutating func respond(
        _ response: SIPResponse, to id: ServerTransactionID, at now: Instant
    ) -> [Effect] {
        guard servers[id] != nil else { return [] }
        servers[id]?.to = response.headers[.to]
        return step(id, ServerMachine.Event(response), at: now)
    }
}

extension SIPRequest {
    /// This request as it leaves over a flow.
    fileprivate func sent(over flow: Flow, branch: String) -> SIPRequest {
        var via = Via(
            transport: flow.transport.name, host: flow.local.host, port: flow.local.port, branch: branch)
        via.parameters.setFlag("rport")
        var request = self
        request.headers[.via] = nil
        request.headers.prepend(.via, via)
        return request
    }
}
