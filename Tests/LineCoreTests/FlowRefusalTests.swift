import Base
import LineCore
import SIPCore
import Testing

@Suite("Second flows: refusals and traffic")
struct FlowRefusalTests {
    private typealias Two = TwoPlaces
    private static let (first, second) = (TwoPlaces.first, TwoPlaces.second)

    @Test("a second place without outbound leaves the first flow unchanged")
    func secondPlaceWithoutOutboundLeavesFirstFlowUnchanged() {
        var two = Two()
        two.ground.answer = { request, flow in
            flow == Self.first ? Two.accept(request) : request.response(SIPStatus(439), tag: "x")
        }
        two.ground.tell(.command(.reconnect(.direct)))
        let before = two.ground.sent(.register).count
        two.ground.run(.seconds(44))
        #expect(two.ground.sent(.register).count == before)
        two.ground.run(.seconds(3_000))
        // It never requested a registration there without outbound.
        #expect(two.ground.sent(.register).allSatisfy { Two.number($0.request) != nil })
        #expect((4...12).contains(two.registers(2).count))
        #expect(two.ground.registrations.last == .registered && two.ground.registrations.count == 4)
    }

    @Test("if the first place lacks outbound there is one flow without it")
    func ifFirstPlaceLacksOutboundThereIsOneFlowWithoutIt() {
        var ground = Ground(flows: [Self.first, Self.second]) { request, _ in
            Two.number(request) == nil ? Two.accept(request) : request.response(SIPStatus(439), tag: "x")
        }
        ground.pong = { _ in [0x0D, 0x0A] }
        ground.run(.seconds(3_000))
        #expect(ground.sent(.register).count { Two.number($0.request) != nil } == 1)
        #expect(ground.sent(.register).allSatisfy { $0.flow == Self.first })
    }

    @Test("an unconfirmed second flow does not count, and the first one registers again")
    func unconfirmedSecondFlowDoesNotCountAndFirstOneRegistersAgain() {
        var two = Two()
        two.ground.answer = { request, flow in flow == Self.first ? Two.accept(request) : Ground.accept(request) }
        two.ground.tell(.command(.reconnect(.direct)))
        #expect(two.ground.sent(.register).suffix(3).map(\.flow) == [Self.first, Self.second, Self.first])
        two.ground.invite()
        #expect(two.ground.sent(.invite).map(\.flow) == [Self.first])
        #expect(two.ground.registrations.count == 4)
        // After the first flow is gone it is used, alone.
        two.ground.dead = [Self.first]
        two.ground.run(.seconds(400))
        #expect(two.ground.registrations.last == .registered)
        #expect(two.ground.sent(.register).last?.flow == Self.second)
    }

    @Test("a server that drops outbound gets one flow")
    func serverThatDropsOutboundGetsOneFlow() {
        var two = Two()
        two.ground.answer = { request, _ in Ground.accept(request) }
        two.ground.run(.seconds(600))
        let before = two.ground.sent(.register).count
        two.ground.run(.seconds(3_000))
        let later = two.ground.sent(.register).dropFirst(before)
        #expect(Set(later.map(\.flow)).count == 1 && (5...9).contains(later.count))
        #expect(two.ground.registrations == [.registering, .registered])
    }

    // MARK: Unregistering and moving

    @Test("unregistering removes both bindings, each over its own flow")
    func unregisteringRemovesBothBindingsEachOverItsOwnFlow() {
        var two = Two()
        two.ground.tell(.command(.shutDown))
        let leaving = two.ground.sent(.register).suffix(2)
        #expect(leaving.map(\.flow) == [Self.first, Self.second])
        #expect(leaving.map { Two.number($0.request) } == [1, 2])
        #expect(leaving.allSatisfy { $0.request.headers[.expires] == "0" })
        #expect(two.ground.outputs.last == .finished && two.ground.line.deadline == nil)
    }

    @Test("a silent place delays unregistering only briefly")
    func silentPlaceDelaysUnregisteringOnlyBriefly() {
        var two = Two()
        two.ground.dead = [Self.second]
        two.ground.tell(.command(.shutDown))
        #expect(two.ground.outputs.last != .finished)
        two.ground.run(LineMachine.byeTimeout)
        #expect(two.ground.outputs.last == .finished)
    }

    @Test("a changed account leaves both places and registers at both")
    func changedAccountLeavesBothPlacesAndRegistersAtBoth() throws {
        var two = Two()
        two.ground.tell(.command(.reconfigure(.direct, AccountCredentials(user: "bert", password: Redacted("x")))))
        two.ground.run(.seconds(1))
        let users = try two.ground.sent(.register).map { try $0.request.headers.to.uri.sip?.user }
        #expect(users == ["alice", "alice", "alice", "alice", "bert", "bert"])
        #expect(
            two.ground.sent(.register).map(\.flow) == [1, 2, 1, 2, 1, 2].map { $0 == 1 ? Self.first : Self.second })
        #expect(two.ground.registrations == [.registering, .registered, .registering, .registered])
    }

    @Test("at another address both flows register again under the same IDs")
    func atAnotherAddressBothFlowsRegisterAgainUnderSameIDs() throws {
        var two = Two()
        let local = Flow.Endpoint("198.51.100.7", 5060)
        two.ground.flows = [Self.first, Self.second].map { Flow(.tcp, local: local, remote: $0.remote) }
        two.ground.tell(.command(.reconnect(.direct)))
        let registers = two.ground.sent(.register).suffix(2)
        #expect(registers.map(\.flow) == two.ground.flows && registers.map { Two.number($0.request) } == [1, 2])
        #expect(try registers.allSatisfy { try $0.request.headers.contacts.first?.uri.sip?.host == local.host })
        two.ground.tell(.command(.shutDown))
        #expect(two.ground.sent(.register).suffix(2).map(\.flow) == two.ground.flows)
    }

    // MARK: Traffic over the second flow

    @Test("a call that arrives over the second flow is answered over it")
    func callThatArrivesOverSecondFlowIsAnsweredOverIt() throws {
        var two = Two()
        two.ground.tell(.received(Stranger(Self.second.remote).invite().bytes, Self.second))
        two.ground.tell(.command(.answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false)))
        #expect(two.ground.responses.allSatisfy { $0.flow == Self.second })
        let success = try #require(two.ground.responses.last?.response)
        #expect(success.status == .ok)
        #expect(try success.headers.contacts.first?.uri.sip?.prefersItsFlow == true)
    }

    @Test("subscriptions over a dead flow are renewed over the other one", arguments: [true, false])
    func subscriptionsOverDeadFlowAreRenewedOverOtherOne(closes: Bool) {
        var configuration = Ground.account()
        configuration.watches = [.messages]
        var two = Two(configuration) { request, flow in
            var response = request.response(.ok, tag: "server")
            response.headers[.expires] = "600"
            response.headers[.contact] = "<sip:\(flow.remote.host);transport=tcp>"
            return response
        }
        #expect(two.ground.sent(.subscribe).map(\.flow) == [Self.first])
        if closes { two.ground.tell(.transportFailed(Self.first)) } else { two.ground.dead = [Self.first] }
        two.ground.run(.seconds(20))
        let subscribes = two.ground.sent(.subscribe)
        #expect(subscribes.map(\.flow) == [Self.first, Self.second])
        #expect(Set(subscribes.map { $0.request.headers[.callID] }).count == 2)
    }

    @Test("a STUN answer over the wrong flow keeps none alive; a pong over each flow keeps that one")
    func stunAnswerOverWrongFlowKeepsNoneAlive() {
        var two = Two()
        two.ground.pong = { _ in nil }
        two.ground.run(.seconds(9))
        for _ in 0..<20 {
            two.ground.tell(.received([0x0D, 0x0A], Self.second))
            two.ground.run(.seconds(1))
        }
        #expect(two.ground.abandoned == [Self.first])
    }
}
