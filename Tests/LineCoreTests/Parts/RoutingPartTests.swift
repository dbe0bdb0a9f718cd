import Base
import LineCore
import SIPCore
import Testing

@Suite("Routing, as a unit")
struct RoutingPartTests {
    private static let hop = NextHop(host: "server.example")
    private static let transports: Set<Flow.Transport> = [.udp, .tcp, .tls]

    private var generator = SeededGenerator(seed: 1)

    @Test("one search serves all requests for the same path, and waiting requests are bounded")
    func oneSearchServesAllRequestsForSamePath() {
        var (routing, generator) = (Routing(transports: Self.transports), generator)
        func search(_ hop: NextHop, _ matter: Waiting.Matter) -> [LineOutput]? {
            routing.search(hop, for: matter, using: &generator, at: .zero)
        }
        #expect(search(Self.hop, .register(1)) == [.lookUp(.srv("_sip._udp.server.example"))])
        #expect(search(Self.hop, .subscribe(.messages)) == [])
        let other = search(NextHop(host: "other.example"), .change(CallID(.phone, 1)))
        #expect(other == [.lookUp(.srv("_sip._udp.other.example"))])
        for number in 3..<LineMachine.waitingLimit { #expect(search(Self.hop, .register(UInt32(number))) == []) }
        #expect(search(Self.hop, .register(9)) == nil)
        let (flows, ready) = routing.located(Self.hop, [PartBench.server], preferring: [], isHome: true, at: .zero)
        #expect(flows == [PartBench.server] && routing.home == flows)
        #expect(ready.count == LineMachine.waitingLimit - 1 && routing.count == 1)
    }

    @Test("an overdue search fails once, at its deadline")
    func overdueSearchFailsOnceAtItsDeadline() throws {
        var (routing, generator) = (Routing(transports: Self.transports), generator)
        _ = routing.search(Self.hop, for: .register(1), using: &generator, at: .zero)
        let deadline = try #require(routing.deadline)
        #expect(deadline == Instant.zero + LineMachine.locating)
        #expect(routing.overdue(at: deadline - .nanoseconds(1)).isEmpty)
        #expect(routing.overdue(at: deadline) == [Self.hop])
        #expect(routing.overdue(at: deadline).isEmpty && routing.deadline == nil)
    }

    @Test("an abandoned request leaves the others waiting")
    func abandonedRequestLeavesOthersWaiting() {
        var (routing, generator) = (Routing(transports: Self.transports), generator)
        _ = routing.search(Self.hop, for: .register(1), using: &generator, at: .zero)
        _ = routing.search(Self.hop, for: .subscribe(.messages), using: &generator, at: .zero)
        routing.giveUp { $0.isSubscribe(.messages) }
        #expect(routing.waits { $0.registers(1) } && !routing.waits { $0.isSubscribe(.messages) })
    }

    @Test("a failed path comes last until its time is over or the network changes")
    func failedPathComesLastUntilItsTimeIsOverOrNetworkChanges() {
        let (first, second) = (PartBench.server, Flow(.udp, local: PartBench.own, remote: .init("192.0.2.101", 5060)))
        var routing = Routing(transports: Self.transports)
        func order(_ routing: inout Routing, at now: Instant) -> [Flow] {
            routing.located(Self.hop, [first, second], preferring: [], isHome: true, at: now).flows
        }
        #expect(order(&routing, at: .zero) == [first, second])
        routing.failed(first, at: .zero)
        #expect(order(&routing, at: .zero) == [second, first])
        #expect(routing.beside(second).isEmpty, "a failed path is no alternative")
        routing.forget()
        #expect(order(&routing, at: .zero) == [first, second])
    }
}
