import Base

extension TransactionLayer {
    /// The result of reading bytes, before any other code acts on it.
    public enum Reading: Equatable, Sendable {
        case message(SIPMessage)
        /// A datagram of line breaks, which keeps a NAT binding alive.
        case nothing
        /// The bytes are not a valid message. `refusal` is the response, if the bytes contain a place to send it to.
        case malformed(SIPParseError, refusal: SIPResponse?)
    }

    /// Reads a datagram, or a message that `SIPStreamFramer` cut out of a stream. Total.
    public mutating func read(_ bytes: Span<UInt8>) -> Reading {
        do throws(SIPParseError) {
            let message = try SIPMessage(bytes)
            try message.validate()
            return .message(message)
        } catch {
            guard error.kind != .empty else { return .nothing }
            return .malformed(
                error, refusal: SIPResponse(refusing: bytes, because: error, tag: identifiers.makeTag()))
        }
    }

    /// Handles any bytes from any source: calls `read` and acts on the result.
    public mutating func receive(_ bytes: Span<UInt8>, over flow: Flow, at now: Instant) -> [Effect] {
        switch read(bytes) {
        case .message(let message): return receive(message, over: flow, at: now)
        case .nothing: return []
        case .malformed(let error, let refusal):
            return [.dropped(.malformed(error))] + (refusal.map { stateless($0, over: flow) } ?? [])
        }
    }

    /// Handles a message that `read` returned.
    public mutating func receive(_ message: SIPMessage, over flow: Flow, at now: Instant) -> [Effect] {
        do throws(SIPParseError) {
            switch message {
            case .request(var request):
                try request.headers.stampTopVia(from: flow.remote)
                return try receive(request, over: flow, at: now)
            case .response(let response):
                return try receive(response, over: flow, at: now)
            }
        } catch {
            return [.dropped(.malformed(error))]
        }
    }

    /// Whether a response over this flow may belong to one of our requests.
    public func awaitsResponse(over flow: Flow) -> Bool {
        clients.values.contains { $0.transaction.flow.leads(as: flow) }
    }

    /// Sends a response without keeping any state. It is dropped if its Via contains no place to send it to.
    public func stateless(_ response: SIPResponse, over flow: Flow) -> [Effect] {
        var response = response
        do throws(SIPParseError) {
            try response.headers.stampTopVia(from: flow.remote)
            return [.send(response.bytes, flow.answering(try response.headers.topVia))]
        } catch {
            return [.dropped(.malformed(error))]
        }
    }

    private mutating func receive(
        _ response: SIPResponse, over flow: Flow, at now: Instant
    ) throws(SIPParseError) -> [Effect] {
        guard try response.headers.vias.count == 1 else { return [.dropped(.misroutedResponse)] }
        guard let id = try ClientTransactionID(response), let client = clients[id] else {
            return [.dropped(.unmatchedResponse)]
        }
        guard client.transaction.flow.leads(as: flow) else { return [.dropped(.otherFlow)] }
        return step(id, ClientTransaction.Event(response), at: now)
    }

    private mutating func receive(
        _ request: SIPRequest, over flow: Flow, at now: Instant
    ) throws(SIPParseError) -> [Effect] {
        let id = try ServerTransactionID(request)
        if request.method == .ack {
            guard let invite = servers[id.invite] else { return [.acknowledgement(request, flow)] }
            guard invite.source.leads(as: flow) else { return [.dropped(.otherFlow)] }
            return step(id.invite, .ack(request, flow), at: now)
        }
        if let known = servers[id] {
            return known.source.leads(as: flow) ? step(id, .request, at: now) : [.dropped(.otherFlow)]
        }
        let back = flow.answering(try request.headers.topVia)
        let transaction = ServerTransaction(request, id, over: back, timers: timers, at: now)
        guard makeRoom(for: transaction.keptBytes) else {
            return [.dropped(.tooManyTransactions)]
                + stateless(request.response(.serviceUnavailable, tag: identifiers.makeTag()), over: flow)
        }
        let identity = try MergedRequestKey(request)
        let isMerged = identity != nil && servers.values.contains { $0.identity == identity }
        let server = Server(
            transaction: transaction, source: flow, serial: nextSerial(), identity: isMerged ? nil : identity, to: nil)
        put(server, id)
        keep(.server(id), transaction.deadline)
        if isMerged { return respond(request.response(.loopDetected, tag: identifiers.makeTag()), to: id, at: now) }
        return request.method == .cancel ? cancel(id, request, over: flow, at: now) : [.request(request, id, flow)]
    }

    /// CANCEL is answered at once, independently of its INVITE (RFC 3261 §9.2).
    private mutating func cancel(
        _ id: ServerTransactionID, _ cancel: SIPRequest, over flow: Flow, at now: Instant
    ) -> [Effect] {
        let tag = identifiers.makeTag()
        guard let cancelled = invite(of: cancel, id), let invite = servers[cancelled], invite.source.leads(as: flow)
        else { return respond(cancel.response(.callDoesNotExist, tag: tag), to: id, at: now) }
        var answer = cancel.response(.ok, tag: tag)
        if let to = invite.to { answer.headers[.to] = to }
        let sent = respond(answer, to: id, at: now)
        return invite.transaction.isUnanswered ? sent + [.cancelled(cancelled, by: cancel)] : sent
    }

    /// The INVITE has the branch of its CANCEL. Some devices write another one there, and their call would ring on, so
    /// the values that both have in common identify it, too.
    private func invite(of cancel: SIPRequest, _ id: ServerTransactionID) -> ServerTransactionID? {
        if servers[id.invite] != nil { return id.invite }
        guard let key = try? MergedRequestKey(inviteOf: cancel) else { return nil }
        return servers.first { $0.value.identity == key }?.key
    }
}
