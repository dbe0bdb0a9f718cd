import Base
import LineCore
import SIPCore
import Testing

@Suite("Two flows to a server with outbound")
struct FlowsTests {
    private typealias Two = TwoPlaces
    private static let (first, second) = (TwoPlaces.first, TwoPlaces.second)

    // MARK: Number of flows

    @Test("a second flow leads to the server's second place")
    func secondFlowLeadsToServerSecondPlace() throws {
        let two = Two()
        let registers = two.ground.sent(.register)
        #expect(registers.map(\.flow) == [Self.first, Self.second])
        #expect(registers.map { Two.number($0.request) } == [1, 2])
        let contacts = try registers.map { try #require(try $0.request.headers.contacts.first) }
        #expect(contacts.allSatisfy { $0.instance == "urn:uuid:0" })
        // One Call-ID, and no number twice.
        #expect(Set(registers.map { $0.request.headers[.callID] }).count == 1)
        #expect(try registers.map { try $0.request.headers.cSeq.number } == [1, 2])
        #expect(two.ground.registrations == [.registering, .registered])
    }

    @Test(
        "one place gets one flow",
        arguments: [[first], [first, Ground.flow(.udp, 100)], [first, Ground.flow(.udp, 101)]])
    func onePlaceGetsOneFlow(flows: [Flow]) {
        var two = Two(flows: flows)
        two.ground.run(.seconds(3_000))
        #expect(two.ground.sent(.register).allSatisfy { $0.flow == Self.first && Two.number($0.request) == 1 })
        #expect(two.ground.registrations == [.registering, .registered])
    }

    @Test("without the server's confirmation there is one flow")
    func withoutServerConfirmationThereIsOneFlow() {
        var ground = Ground(flows: [Self.first, Self.second])
        ground.run(.seconds(3_000))
        #expect(ground.sent(.register).allSatisfy { $0.flow == Self.first })
        var nameless = Two(Ground.account { $0.instance = nil })
        nameless.ground.run(.seconds(3_000))
        #expect(nameless.ground.sent(.register).allSatisfy { $0.flow == Self.first })
    }

    @Test("three places get two flows, each renewed on its own schedule")
    func threePlacesGetTwoFlowsEachRenewedOnItsOwnSchedule() {
        var two = Two(flows: [Self.first, Self.second, Ground.flow(.tcp, 102)])
        two.ground.run(.seconds(3_000))
        for (number, flow) in [(1, Self.first), (2, Self.second)] {
            let registers = two.registers(UInt32(number))
            #expect(registers.count > 6 && registers.allSatisfy { $0.flow == flow })
        }
        #expect(two.ground.registrations == [.registering, .registered])
    }

    @Test(
        "a place found later gets a flow later; one no longer named is kept while it lives")
    func placeFoundLaterGetsFlowLater() {
        var two = Two(flows: [Self.first])
        two.ground.flows = [Self.first, Self.second]
        two.ground.run(.seconds(500))
        #expect(two.registers(2).map(\.flow) == [Self.second])
        two.ground.flows = [Self.first]
        two.ground.run(.seconds(1_000))
        #expect(two.registers(2).count >= 3 && two.registers(2).allSatisfy { $0.flow == Self.second })
        two.ground.tell(.received(Stranger(Self.second.remote).invite().bytes, Self.second))
        #expect(two.ground.outputs.contains { if case .event(.offered) = $0 { true } else { false } })
        two.ground.dead = [Self.second]
        two.ground.run(.seconds(30))
        let count = two.registers(2).count
        two.ground.run(.seconds(3_000))
        #expect(two.registers(2).count == count && two.ground.registrations == [.registering, .registered])
    }

    @Test("a flow that breaks without a name server is restored, and the other one works on")
    func flowThatBreaksWithoutNameServerIsRestored() {
        var two = Two()
        two.ground.flows = []
        two.ground.dead = [Self.second]
        two.ground.run(.seconds(600))
        #expect(two.registers(1).count > 1 && two.ground.registrations == [.registering, .registered])
        #expect(
            two.ground.sent(.register).allSatisfy {
                $0.flow == (Two.number($0.request) == 1 ? Self.first : Self.second)
            })
        // The server's other machine may still call: it is not known to be gone.
        two.ground.tell(.received(Stranger(Self.second.remote).invite().bytes, Self.second))
        #expect(two.ground.outputs.contains { if case .event(.offered) = $0 { true } else { false } })
        (two.ground.flows, two.ground.dead) = ([Self.first, Self.second], [])
        let count = two.registers(2).count
        two.ground.run(.seconds(2_000))
        #expect(two.registers(2).count > count + 1)
    }

    @Test("over UDP both flows share a socket and are kept alive separately")
    func overUDPBothFlowsShareSocketAndAreKeptAliveSeparately() {
        let flows = [Ground.flow(.udp, 100), Ground.flow(.udp, 101)]
        var two = Two(flows: flows)
        two.ground.pong = { KeepAliveTests.stun($0) }
        two.ground.run(.seconds(60))
        for flow in flows { #expect(two.ground.keepAlives.count { $0.flow == flow } >= 6) }
        two.ground.dead = [flows[1]]
        two.ground.run(.seconds(20))
        #expect(two.ground.abandoned == [flows[1]])
        #expect(two.ground.registrations == [.registering, .registered])
    }

    // MARK: Keep-alives

    @Test("each flow follows the Flow-Timer of its own place")
    func eachFlowFollowsFlowTimerOfItsOwnPlace() {
        var two = Two()
        two.ground.answer = { request, flow in Two.accept(request, [(.flowTimer, flow == Self.first ? "5" : "8")]) }
        two.ground.tell(.command(.reconnect(.direct)))
        two.ground.run(.seconds(200))
        for (flow, range) in [(Self.first, 4.0...5), (Self.second, 6.4...8)] {
            let times = two.ground.keepAlives.filter { $0.flow == flow }.map(\.at)
            let gaps = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds / 1_000 }
            #expect(gaps.count > 20 && gaps.allSatisfy { range.contains($0) })
        }
    }

    // MARK: One flow dies

    @Test("a closed connection re-registers only its own flow, without a report", arguments: [1, 2])
    func closedConnectionReRegistersOnlyItsOwnFlowWithoutReport(number: Int) {
        var two = Two()
        two.ground.run(.seconds(60))
        two.ground.tell(.transportFailed(number == 1 ? Self.first : Self.second))
        two.ground.run(.milliseconds(501))
        #expect(two.registers(1).map(\.flow) == (number == 1 ? [Self.first, Self.first] : [Self.first]))
        #expect(two.registers(2).map(\.flow) == (number == 2 ? [Self.second, Self.second] : [Self.second]))
        #expect(two.ground.registrations == [.registering, .registered])
    }

    @Test("while one flow is dead, a call continues over the other at once, and so does the next")
    func whileOneFlowIsDeadCallContinuesOverOtherAtOnce() {
        var two = Two()
        two.call()
        #expect(two.ground.sent(.invite).map(\.flow) == [Self.first])
        two.ground.dead = [Self.first]
        two.ground.run(.seconds(20))
        #expect(two.ground.abandoned == [Self.first] && two.ground.ends.isEmpty)
        // The call's own route names only the dead place.
        let flows = two.ground.flows
        two.ground.flows = [Self.first]
        two.ground.tell(.command(.end(CallID(.phone, 1))))
        #expect(two.ground.sent(.bye).map(\.flow) == [Self.second] && two.ground.ends == [.hungUpHere])
        two.ground.flows = flows
        two.ground.tell(
            .command(
                .dial(CallID(.phone, 2), target: "sip:b@far.example", account: .direct, MediaEndpoint(port: 4_000))))
        #expect(two.ground.sent(.invite).last?.flow == Self.second)
        #expect(two.ground.registrations == [.registering, .registered])
        // The place is back: calls use it again.
        two.ground.dead = []
        two.ground.run(.seconds(400))
        two.ground.tell(
            .command(
                .dial(CallID(.phone, 3), target: "sip:c@far.example", account: .direct, MediaEndpoint(port: 4_000))))
        #expect(two.ground.sent(.invite).last?.flow == Self.first)
    }

    @Test("an INVITE whose flow dies before ringing is sent over the other one")
    func inviteWhoseFlowDiesBeforeRingingIsSentOverOtherOne() throws {
        var two = Two { _, flow in nil }
        two.ground.answer = { request, flow in
            request.method == .register
                ? Two.accept(request, [(.serviceRoute, "<sip:\(flow.remote.host);lr>")]) : nil
        }
        two.ground.tell(.command(.reconnect(.direct)))
        two.ground.invite()
        two.ground.tell(.transportFailed(Self.first))
        let invites = two.ground.sent(.invite)
        #expect(invites.map(\.flow) == [Self.first, Self.second] && two.ground.ends.isEmpty)
        #expect(
            try invites.map { try $0.request.headers.routes.map(\.uri.text) }
                == [["sip:192.0.2.100;lr"], ["sip:192.0.2.101;lr"]])
        #expect(Set(invites.map { $0.request.headers[.callID] }).count == 1)
    }

    @Test("a place that rejects connections is retried ever more rarely")
    func placeThatRejectsConnectionsIsRetriedEverMoreRarely() throws {
        for seed in 1...10 {
            var two = Two(seed: UInt64(seed) * 100)
            two.ground.run(.seconds(60))
            two.ground.refused = [Self.second]
            two.ground.tell(.transportFailed(Self.second))
            two.ground.run(.seconds(7_200))
            let times = two.ground.refusals.map(\.at)
            let pauses = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds / 1_000 }
            let expected = [45.0...90, 90...180, 180...360, 360...720, 720...1_440, 900...1_800]
            #expect(pauses.count >= 5 && zip(pauses, expected).allSatisfy { $1.contains($0) }, "\(pauses)")
            #expect(two.ground.registrations == [.registering, .registered])
        }
    }

    // MARK: Both flows die

    @Test("when both flows die the account is unregistered and soon retries")
    func whenBothFlowsDieAccountIsUnregisteredAndSoonRetries() {
        var two = Two()
        two.ground.run(.seconds(60))
        two.ground.refused = [Self.first, Self.second]
        for flow in [Self.first, Self.second] { two.ground.tell(.transportFailed(flow)) }
        two.ground.run(.seconds(1))
        #expect(
            two.ground.registrations.prefix(3) == [.registering, .registered, .failed("the server does not answer")])
        #expect(two.ground.registrations.last == .failed("the server does not answer"))
        two.ground.refused = []
        // 30 s after the last failure, when no flow was alive.
        two.ground.run(.seconds(31))
        #expect(two.ground.registrations.suffix(2) == [.registering, .registered])
        two.ground.run(.seconds(91))
        let places = Set([1, 2].compactMap { two.registers($0).last?.flow })
        #expect(places == [Self.first, Self.second])
    }

    @Test("places that come and go in any order lead back to two flows at two places", arguments: 0..<60)
    func placesThatComeAndGoInAnyOrderLeadBackToTwoFlowsAtTwoPlaces(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let flows = [Self.first, Self.second, Ground.flow(.tcp, 102)]
        var two = Two(flows: flows, seed: seed * 10)
        for _ in 0..<40 {
            let flow = flows[Int.random(in: 0..<3, using: &generator)]
            switch Int.random(in: 0..<7, using: &generator) {
            case 0: two.ground.dead.formSymmetricDifference([flow])
            case 1: two.ground.refused.formSymmetricDifference([flow])
            case 2: two.ground.tell(.transportFailed(flow))
            case 3:
                two.ground.flows = Array(
                    flows.shuffled(using: &generator).prefix(.random(in: 0...3, using: &generator)))
            case 4: two.ground.tell(.command(.reconnect(.direct)))
            case 5: two.ground.tell(.command(.disconnect(.direct)))
            default: break
            }
            two.ground.run(.milliseconds(Int.random(in: 0...60_000, using: &generator)))
        }
        (two.ground.dead, two.ground.refused, two.ground.flows) = ([], [], flows)
        if two.ground.registrations.last == .disconnected { two.ground.tell(.command(.reconnect(.direct))) }
        // The longest pause is half an hour.
        two.ground.run(.seconds(3_700))
        #expect(two.ground.registrations.last == .registered, "seed \(seed)")
        let places = [1, 2].compactMap { two.registers($0).last?.flow }
        #expect(Set(places).count == 2, "seed \(seed): \(places)")
        two.ground.tell(.command(.shutDown))
        two.ground.run(.seconds(60))
        #expect(two.ground.line.deadline == nil && two.ground.outputs.last == .finished, "seed \(seed)")
    }
}
