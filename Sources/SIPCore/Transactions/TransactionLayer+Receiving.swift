import Base

extension TransactionLayer {
    /// Takes a datagram, or a message that `SIPStreamFramer` cut out of a stream.
    ///
    /// Total: what is no valid message is refused where it says whom to tell, and is dropped with its reason.
    /// A datagram of line breaks is a keep-alive and has no effect.
    public mutating func receive(_ bytes: Span<UInt8>, over flow: Flow, at now: Instant) -> [Effect] {
        do throws(SIPParseError) {
            let message = try SIPMessage(bytes)
            try message.validate()
            switch message {
            case .request(var request):
                try request.headers.stampTopVia(from: flow.remote)
                return try receive(request, over: flow, at: now)
            case .response(let response):
                return try receive(response, at: now)
            }
        } catch {
            return error.kind == .empty ? [] : refuse(bytes, because: error, over: flow)
        }
    }

    private mutating func refuse(_ bytes: Span<UInt8>, because error: SIPParseError, over flow: Flow) -> [Effect] {
        let tag = identifiers.makeTag()
        let dropped = Effect.dropped(.malformed(error))
        guard let response = SIPResponse(refusing: bytes, because: error, tag: tag) else { return [dropped] }
        do throws(SIPParseError) { return [dropped, try stateless(response, over: flow)] } catch { return [dropped] }
    }

    /// A response that nothing is remembered of.
    private func stateless(_ response: SIPResponse, over flow: Flow) throws(SIPParseError) -> Effect {
        var response = response
        try response.headers.stampTopVia(from: flow.remote)
        return .send(response.bytes, flow.answering(try response.headers.topVia))
    }

    private mutating func receive(_ response: SIPResponse, at now: Instant) throws(SIPParseError) -> [Effect] {
        guard try response.headers.vias.count == 1 else { return [.dropped(.misroutedResponse)] }
        guard let id = try ClientTransactionID(response), clients[id] != nil else {
            return [.dropped(.unmatchedResponse)]
        }
        return step(id, ClientMachine.Event(response), at: now)
    }

    private mutating func receive(
        _ request: SIPRequest, over flow: Flow, at now: Instant
    ) throws(SIPParseError) -> [Effect] {
        let id = try ServerTransactionID(request)
        if request.method == .ack {
            guard servers[id.invite] != nil else { return [.acknowledgement(request, flow)] }
            return step(id.invite, .ack, ack: request, at: now)
        }
        guard servers[id] == nil else { return step(id, .request, at: now) }
        guard makeRoom() else {
            let refusal = request.response(.serviceUnavailable, tag: identifiers.makeTag())
            return [.dropped(.tooManyTransactions), try stateless(refusal, over: flow)]
        }
        let reliable = flow.transport.isReliable
        let machine = ServerMachine(request, isReliable: reliable, timers: timers, at: now)
        let back = flow.answering(try request.headers.topVia)
        let identity = try RequestIdentity(request)
        let isMerged = identity != nil && servers.values.contains { $0.identity == identity }
        servers[id] = Server(
            machine: machine, flow: back, serial: nextSerial(), identity: isMerged ? nil : identity, to: nil)
        keep(.server(id), machine.deadline)
        if isMerged { return respond(request.response(.loopDetected, tag: identifiers.makeTag()), to: id, at: now) }
        return request.method == .cancel ? cancel(id, request, at: now) : [.request(request, id, flow)]
    }

    /// CANCEL is answered at once, whatever becomes of its INVITE (RFC 3261 §9.2).
    private mutating func cancel(_ id: ServerTransactionID, _ cancel: SIPRequest, at now: Instant) -> [Effect] {
        let tag = identifiers.makeTag()
        guard let invite = servers[id.invite] else {
            return respond(cancel.response(.callDoesNotExist, tag: tag), to: id, at: now)
        }
        var answer = cancel.response(.ok, tag: tag)
        if let to = invite.to { answer.headers[.to] = to }
        let sent = respond(answer, to: id, at: now)
        return invite.machine.isUnanswered ? sent + [.cancelled(id.invite, by: cancel)] : sent
    }
}
