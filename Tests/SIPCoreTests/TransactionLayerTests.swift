import Base
import SIPCore
import Testing

/// Two layers, and a connection between them that the test controls.
private struct Side {
    var layer: TransactionLayer
    let flow: Flow

    static func caller(_ transport: Flow.Transport = .udp) -> Side {
        Side(layer: TransactionLayer(identifiers: .seeded(1)), flow: .test(transport))
    }

    static func callee(
        _ transport: Flow.Transport = .udp, limit: Int = 256, byteLimit: Int = SIPLimits.transactions
    ) -> Side {
        let flow = Flow(transport, local: Flow.test(transport).remote, remote: Flow.test(transport).local)
        let layer = TransactionLayer(identifiers: .seeded(2), limit: limit, byteLimit: byteLimit)
        return Side(layer: layer, flow: flow)
    }

    mutating func receive(_ bytes: [UInt8], at now: Instant = .zero) -> [TransactionLayer.Effect] {
        layer.receive(bytes.span, over: flow, at: now)
    }
}

extension [TransactionLayer.Effect] {
    fileprivate var sent: [[UInt8]] { compactMap { if case .send(let bytes, _) = $0 { bytes } else { nil } } }
    fileprivate var statuses: [Int] {
        sent.compactMap {
            guard case .response(let response) = try? parse($0) else { return nil }
            return response.status.code
        }
    }
    fileprivate var request: (SIPRequest, ServerTransactionID)? {
        for case .request(let request, let id, _) in self { return (request, id) }
        return nil
    }
    fileprivate var responses: [Int] {
        compactMap { if case .response(let response, _, _) = $0 { response.status.code } else { nil } }
    }
}

@Suite struct TransactionLayerTests {
    @Test(arguments: [Flow.Transport.udp, .tcp, .tls])
    func requestGetsItsResponse(_ transport: Flow.Transport) throws {
        var (caller, callee) = (Side.caller(transport), Side.callee(transport))
        let (id, out) = try caller.layer.send(.sample(.options, via: false), over: caller.flow, at: .zero)
        let arrived = callee.receive(out.sent[0])
        let (request, server) = try #require(arrived.request)
        #expect(try request.headers.topVia.rport == 5060)
        #expect(try request.headers.topVia.received == "192.0.2.1")
        #expect(callee.receive(out.sent[0]).isEmpty)
        let back = callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero)
        #expect(back.first == .send(back.sent[0], callee.flow))
        guard case .response(let response, id, caller.flow) = caller.receive(back.sent[0]).first else {
            throw Unexpected()
        }
        #expect(response.status == .ok)
        #expect(callee.receive(out.sent[0]).sent == (transport == .udp ? back.sent : []))
    }

    @Test func abandonedRequestIsNotRepeatedAndItsResponseIsStray() throws {
        var (caller, callee) = (Side.caller(), Side.callee())
        let (id, out) = try caller.layer.send(.sample(.options, via: false), over: caller.flow, at: .zero)
        let (request, server) = try #require(callee.receive(out.sent[0]).request)
        caller.layer.abandon(id)
        #expect(caller.layer.count == 0 && caller.layer.deadline == nil)
        let back = callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero)
        #expect(caller.receive(back.sent[0]) == [.dropped(.unmatchedResponse)])
        caller.layer.abandon(id)
    }

    @Test func peerWithoutRportIsAnsweredAtItsPort() throws {
        var callee = Side.callee()
        var request = try SIPRequest.sample(.options)
        request.headers[.via] = "SIP/2.0/UDP host.example.com:7777;branch=z9hG4bKx;maddr=203.0.113.9"
        let (seen, id) = try #require(callee.receive(request.bytes).request)
        #expect(try seen.headers.topVia.received == "192.0.2.1")
        let flows = callee.layer.respond(seen.response(.ok), to: id, at: .zero)
            .compactMap { if case .send(_, let flow) = $0 { flow.remote } else { nil } }
        #expect(flows == [Flow.Endpoint("192.0.2.1", 7777)])
    }

    @Test func callIsAnswered() throws {
        var (caller, callee) = (Side.caller(), Side.callee())
        let invite = try SIPRequest.sample(.invite, via: false)
        let out = try caller.layer.send(invite, over: caller.flow, at: .zero).effects
        let (request, server) = try #require(callee.receive(out.sent[0]).request)
        #expect(callee.layer.deadline == .zero + .milliseconds(200))
        #expect(callee.layer.deadlineReached(at: .zero + .milliseconds(200)).statuses == [100])
        let ok = callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero)
        #expect(caller.receive(ok.sent[0]).responses == [200])
        #expect(caller.receive(ok.sent[0]).responses == [200])
        #expect(callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero).sent == ok.sent)
        let ack = try SIPRequest.sample(.ack, via: false)
        guard case .send(let bytes, _) = caller.layer.acknowledge(ack, over: caller.flow) else { throw Unexpected() }
        guard case .acknowledgement(let seen, callee.flow) = callee.receive(bytes).first else { throw Unexpected() }
        #expect(seen.method == .ack)
    }

    @Test func failureIsAcknowledgedAutomatically() throws {
        var (caller, callee) = (Side.caller(), Side.callee())
        let out = try caller.layer.send(.sample(.invite, via: false), over: caller.flow, at: .zero).effects
        let (request, server) = try #require(callee.receive(out.sent[0]).request)
        let busy = callee.layer.respond(request.response(.busyHere, tag: "b2"), to: server, at: .zero)
        let acknowledged = caller.receive(busy.sent[0])
        #expect(acknowledged.responses == [486])
        #expect(callee.receive(acknowledged.sent[0]).isEmpty)
        #expect(callee.layer.deadlineReached(at: .zero + .milliseconds(4_999)).isEmpty)
        #expect(callee.layer.count == 1)
        #expect(callee.layer.deadlineReached(at: .zero + .seconds(5)).isEmpty)
        #expect(callee.layer.count == 0)
        #expect(caller.layer.deadlineReached(at: .zero + .seconds(32)).isEmpty)
        #expect(caller.layer.count == 0)
        #expect(caller.layer.deadline == nil)
    }

    @Test func callIsCancelled() throws {
        var (caller, callee) = (Side.caller(), Side.callee())
        let (id, out) = try caller.layer.send(.sample(.invite, via: false), over: caller.flow, at: .zero)
        #expect(caller.layer.cancel(id, because: Reason(cause: 200), at: .zero).isEmpty)
        let (request, server) = try #require(callee.receive(out.sent[0]).request)
        let ringing = callee.layer.respond(request.response(.ringing, tag: "b2"), to: server, at: .zero)
        let cancelling = caller.receive(ringing.sent[0])
        #expect(cancelling.responses == [180])
        let heard = callee.receive(cancelling.sent[0])
        guard case .cancelled(server, let cancel) = heard.last else { throw Unexpected() }
        #expect(try cancel.headers.reasons.first?.cause == 200)
        guard case .response(let ok) = try parse(heard.sent[0]) else { throw Unexpected() }
        #expect(try ok.headers.to.tag == "b2")
        #expect(caller.receive(heard.sent[0]).responses == [200])
        let ended = callee.layer.respond(request.response(.requestTerminated, tag: "b2"), to: server, at: .zero)
        let terminated = caller.receive(ended.sent[0])
        #expect(terminated.responses == [487])
        #expect(callee.receive(terminated.sent[0]).isEmpty)
        #expect(callee.receive(cancelling.sent[0]).statuses == [200])
    }

    @Test func cancelAfterAnswerChangesNothing() throws {
        var callee = Side.callee()
        let invite = try SIPRequest.sample(.invite)
        let (request, server) = try #require(callee.receive(invite.bytes).request)
        _ = callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero)
        let heard = callee.receive(invite.cancellation().bytes)
        #expect(heard.count == 1)
        #expect(heard.statuses == [200])
    }

    @Test func cancelWithoutRequestIsRefused() throws {
        var callee = Side.callee()
        #expect(callee.receive(try SIPRequest.sample(.invite).cancellation().bytes).statuses == [481])
    }

    @Test func rfc2543PeersAreMatched() throws {
        var callee = Side.callee()
        var invite = try SIPRequest.sample(.invite)
        invite.headers[.via] = "SIP/2.0/UDP 192.0.2.1"
        let (request, server) = try #require(callee.receive(invite.bytes).request)
        #expect(callee.receive(invite.bytes).isEmpty)
        let busy = request.response(.busyHere, tag: "b2")
        _ = callee.layer.respond(busy, to: server, at: .zero)
        #expect(callee.receive(invite.acknowledgement(of: busy).bytes).isEmpty)
        #expect(callee.layer.deadline == .zero + .seconds(5))
    }

    @Test func strayResponsesAreDropped() throws {
        var caller = Side.caller()
        let response = try SIPRequest.sample(.options).response(.ok)
        #expect(caller.receive(response.bytes) == [.dropped(.unmatchedResponse)])
        var two = response
        two.headers.append(.via, "SIP/2.0/UDP other;branch=z9hG4bK2")
        #expect(caller.receive(two.bytes) == [.dropped(.misroutedResponse)])
        #expect(caller.receive(Array("garbage".utf8)).count == 1)
        #expect(caller.receive(Array("\r\n\r\n".utf8)).isEmpty)
    }

    /// The sample request as a forking proxy sends it over another path.
    private func merged(
        _ method: SIPMethod = .invite, _ change: (inout SIPRequest) -> Void = { _ in }
    ) throws -> [UInt8] {
        var request = try SIPRequest.sample(method)
        request.headers[.via] = "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKtwo"
        change(&request)
        return request.bytes
    }

    @Test(arguments: [SIPMethod.invite, .options, .message])
    func requestOverSecondPathIsMerged(_ method: SIPMethod) throws {
        var callee = Side.callee()
        let (request, server) = try #require(callee.receive(try SIPRequest.sample(method).bytes).request)
        let other = callee.receive(try merged(method))
        #expect(other.request == nil && other.statuses == [482])
        #expect(callee.receive(try merged(method)).statuses == [482], "it has a transaction of its own")
        #expect(callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero).statuses == [200])
        #expect(callee.receive(try merged(method) { $0.headers[.via]?.append("3") }).statuses == [482])
    }

    @Test func onlySameRequestIsMerged() throws {
        var callee = Side.callee()
        _ = callee.receive(try SIPRequest.sample(.invite).bytes)
        let others = [
            try merged { $0.headers[.cSeq] = "8 INVITE" }, try merged { $0.headers[.callID] = "call-2" },
            try merged { $0.headers[.from] = "<sip:alice@example.com>;tag=a2" },
            try merged { $0.headers[.to] = "<sip:bob@example.net>;tag=b2" },
        ]
        for (number, bytes) in others.enumerated() {
            let text = text(bytes).replacing("z9hG4bKtwo", with: "z9hG4bKtwo\(number)")
            #expect(callee.receive(Array(text.utf8)).request != nil, "\(text)")
        }
    }

    @Test func finishedRequestIsNotMerged() throws {
        var callee = Side.callee(.tcp)
        let (request, server) = try #require(callee.receive(try SIPRequest.sample(.options).bytes).request)
        _ = callee.layer.respond(request.response(.ok, tag: "b2"), to: server, at: .zero)
        #expect(callee.receive(try merged(.options)).request != nil)
    }

    @Test func fullLayerRefuses() throws {
        var callee = Side.callee(limit: 1)
        _ = callee.receive(try SIPRequest.sample(.invite).bytes)
        let refused = callee.receive(try SIPRequest.sample(.options).bytes)
        #expect(refused.first == .dropped(.tooManyTransactions))
        #expect(refused.statuses == [503])
        #expect(callee.layer.count == 1)
        let request = try SIPRequest.sample(.options)
        #expect(throws: TransactionLayer.Full.self) { try callee.layer.send(request, over: callee.flow, at: .zero) }
    }

    /// Answered transactions make room, the oldest first; unanswered ones stay.
    @Test func floodReplacesFinishedTransactions() throws {
        var callee = Side.callee(limit: 4)
        let unanswered = callee.receive(try SIPRequest.sample(.invite).bytes)
        let kept = try #require(unanswered.request?.1)
        var last: [UInt8] = []
        for number in 0..<100 {
            var request = try SIPRequest.sample(.options)
            request.headers[.via] = "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK-\(number);rport"
            request.headers[.callID] = "flood-\(number)"
            last = request.bytes
            let (arrived, id) = try #require(callee.receive(last).request)
            _ = callee.layer.respond(arrived.response(.ok, tag: "b2"), to: id, at: .zero)
            #expect(callee.layer.count <= 4)
        }
        #expect(callee.receive(last).statuses == [200], "the youngest is remembered")
        let invite = try SIPRequest.sample(.invite)
        #expect(callee.layer.respond(invite.response(.ok, tag: "b2"), to: kept, at: .zero).statuses == [200])
        #expect(throws: Never.self) {
            try callee.layer.send(.sample(.options, via: false), over: callee.flow, at: .zero)
        }
    }

    /// A sender of long requests gets no more room than one of short ones: bytes are counted, too.
    @Test func floodOfLongRequestsIsBoundedInBytes() throws {
        let limit = 65_536
        var callee = Side.callee(limit: 256, byteLimit: limit)
        var answered: [ServerTransactionID] = []
        func invite(_ number: Int) throws -> SIPRequest {
            var request = try SIPRequest.sample(.invite)
            request.headers[.via] = "SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK-\(number);rport"
            request.headers[.callID] = "\(number)-" + String(repeating: "x", count: 6_000)
            return request
        }
        for number in 0..<100 {
            let effects = callee.receive(try invite(number).bytes)
            if let (request, id) = effects.request {
                answered.append(id)
                _ = callee.layer.respond(request.response(.ringing, tag: "b2"), to: id, at: .zero)
            } else {
                #expect(effects.first == .dropped(.tooManyTransactions))
            }
            #expect(callee.layer.keptBytes <= limit)
        }
        #expect(answered.count > 2 && answered.count < 10)
        // Answered transactions make room.
        for id in answered { _ = callee.layer.respond(try invite(0).response(.busyHere, tag: "b2"), to: id, at: .zero) }
        #expect(callee.receive(try invite(200).bytes).request != nil)
        while let due = callee.layer.deadline, due < .zero + .seconds(60) { _ = callee.layer.deadlineReached(at: due) }
        #expect(callee.layer.count == 1, "the last one, which has no answer")
    }

    @Test func silenceTimesOut() throws {
        var caller = Side.caller()
        let (id, out) = try caller.layer.send(.sample(.register, via: false), over: caller.flow, at: .zero)
        var effects: [TransactionLayer.Effect] = []
        while let due = caller.layer.deadline { effects += caller.layer.deadlineReached(at: due) }
        #expect(effects.sent == Array(repeating: out.sent[0], count: 10))
        #expect(effects.last == .timedOut(.client(id)))
        #expect(caller.layer.count == 0 && caller.layer.keptBytes == 0)
    }

    @Test func brokenFlowNotifiesAllItsUsers() throws {
        var caller = Side.caller(.tcp)
        var ids: [ClientTransactionID] = []
        for _ in 0..<5 {
            ids.append(try caller.layer.send(.sample(.options, via: false), over: caller.flow, at: .zero).id)
        }
        #expect(caller.layer.transportFailed(.test(.tls), at: .zero).isEmpty)
        #expect(caller.layer.transportFailed(caller.flow, at: .zero) == ids.map { .transportFailed(.client($0)) })
        #expect(caller.layer.count == 0)
    }

    @Test func identifiersDifferAndRepeat() {
        var (one, two) = (SIPIdentifiers.seeded(), SIPIdentifiers.seeded())
        let words = (0..<100).map { _ in one.makeBranch() }
        #expect(Set(words).count == 100)
        #expect(words.allSatisfy { $0.hasPrefix("z9hG4bK") && $0.utf8.count == 39 })
        #expect(words == (0..<100).map { _ in two.makeBranch() })
        #expect((0..<100).allSatisfy { _ in (1...32_768).contains(one.makeSequence()) })
    }
}
