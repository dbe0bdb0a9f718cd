import Base
import LineCore
import SIPCore
import Testing

@Suite("Routing, as a unit")
struct RoutingPartTests {
    private static let hop = NextHop(host: "server.example")

    @Test("one search serves all requests for the same path, and waiting requests are bounded")
    func oneSearchServesAllRequestsForSamePath() {
        var routing = Routing()
        #expect(routing.search(Self.hop, for: .register(1), at: .zero) == .begun)
        #expect(routing.search(Self.hop, for: .subscribe(.messages), at: .zero) == .joined)
        #expect(routing.search(NextHop(host: "other.example"), for: .change(CallID(.phone, 1)), at: .zero) == .begun)
        for number in 3..<LineMachine.waitingLimit {
            #expect(routing.search(Self.hop, for: .register(UInt32(number)), at: .zero) == .joined)
        }
        #expect(routing.search(Self.hop, for: .register(9), at: .zero) == .full)
        let (flows, ready) = routing.located(Self.hop, [PartBench.server], preferring: [], isHome: true, at: .zero)
        #expect(flows == [PartBench.server] && routing.home == flows)
        #expect(ready.count == LineMachine.waitingLimit - 1 && routing.count == 1)
    }

    @Test("an overdue search fails once, at its deadline")
    func overdueSearchFailsOnceAtItsDeadline() throws {
        var routing = Routing()
        _ = routing.search(Self.hop, for: .register(1), at: .zero)
        let deadline = try #require(routing.deadline)
        #expect(deadline == Instant.zero + LineMachine.locating)
        #expect(routing.overdue(at: deadline - .nanoseconds(1)).isEmpty)
        #expect(routing.overdue(at: deadline) == [Self.hop])
        #expect(routing.overdue(at: deadline).isEmpty && routing.deadline == nil)
    }

    @Test("an abandoned request leaves the others waiting")
    func abandonedRequestLeavesOthersWaiting() {
        var routing = Routing()
        _ = routing.search(Self.hop, for: .register(1), at: .zero)
        _ = routing.search(Self.hop, for: .subscribe(.messages), at: .zero)
        routing.giveUp { $0.isSubscribe(.messages) }
        #expect(routing.waits { $0.registers(1) } && !routing.waits { $0.isSubscribe(.messages) })
    }

    @Test("a failed path comes last until its time is over or the network changes")
    func failedPathComesLastUntilItsTimeIsOverOrNetworkChanges() {
        let (first, second) = (PartBench.server, Flow(.udp, local: PartBench.own, remote: .init("192.0.2.101", 5060)))
        var routing = Routing()
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
