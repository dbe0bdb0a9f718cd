import Base
import ICECore
import Testing

@Suite("Release of unneeded relays")
struct ReleaseTests {
    private static let server = World.endpoint("203.0.113.1", 3_478)

    /// An agent with a server that never answers, and a far end on its own link.
    private func meet(_ transport: TURNServer.Transport) -> Duel {
        let server = TURNServer(Self.server, transport, STUNTURNServer.credentials)
        var duel = Duel(role: .controlling, configuration: .init(turnServers: [server]))
        duel.describe()
        return duel
    }

    private func allocates(_ duel: inout Duel) -> Int {
        duel.takeRequests().count { $0.message.method == TURNMethod.allocate && $0.to == Self.server }
    }

    @Test(
        "a server's address is requested again for a new session, even while it is being released",
        arguments: [Int64(4), 7])
    func serverAddressIsRequestedAgainForNewSession(_ seconds: Int64) {
        var duel = meet(.udp)
        duel.answerAll(for: .seconds(seconds))
        #expect(duel.path?.isNominated == true)
        let before = allocates(&duel)
        duel.post(.renew(Duel.credentials("ours", "o")))
        duel.run(for: .seconds(3))
        let after = allocates(&duel)
        #expect(before == 0 && after > 0)
    }

    @Test("an allocation that never opened is closed")
    func allocationThatNeverOpenedIsClosed() {
        var duel = meet(.tcp)
        #expect(duel.effects.contains { if case .openStream = $0 { true } else { false } })
        duel.answerAll(for: .seconds(1))
        #expect(duel.path?.isNominated == true && !closesStream(duel))
        duel.run(for: .seconds(5))
        #expect(closesStream(duel))
    }

    private func closesStream(_ duel: Duel) -> Bool {
        duel.effects.contains { if case .closeStream = $0 { true } else { false } }
    }

    @Test("a pending allocation is not requested twice")
    func pendingAllocationIsNotRequestedTwice() {
        var duel = meet(.udp)
        duel.run(for: .milliseconds(100))
        let first = allocates(&duel)
        for _ in 0..<5 { duel.post(.renew(Duel.credentials("ours", "o"))) }
        duel.run(for: .milliseconds(300))
        let more = allocates(&duel)
        #expect(first == 1 && more == 0)
    }
}
