import Base
import PhoneCore
import Testing

/// §12.4: a message of caller info is acknowledged only after the phone has dealt with it.
@Suite("Reports about messages of caller info")
struct CallerInfoReceiptTests {
    private static func info(_ ticket: UInt32, _ ids: [String] = ["a"], sent: Instant = .zero) -> CallerInfo {
        var info = CallerInfoTests.info(ids, sent: sent)
        info.ticket = ticket
        return info
    }

    private static func outcome(_ effects: [PhoneEffect]) -> [CallerInfoOutcome] {
        effects.compactMap { if case .callerInfo(.settled(_, let outcome)) = $0 { outcome } else { nil } }
    }

    private static func outcome(_ event: CallerInfoEvent, _ bench: inout Bench) -> [CallerInfoOutcome] {
        outcome(bench.post(.callerInfo(event)))
    }

    @Test func announcementIsReportedBehindIt() {
        var bench = Bench()
        let effects = bench.post(.callerInfo(.incoming(Self.info(7))))
        #expect(effects.last == .callerInfo(.settled(ticket: 7, .announced)))
        #expect(effects.contains { if case .panel(.bell(.some)) = $0 { true } else { false } })
    }

    @Test func repetitionAndLateMessageAreMerged() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info(1))))
        #expect(Self.outcome(.incoming(Self.info(2)), &bench) == [.merged])
        bench.ask(.hangUp(CallID(.info, 1)))
        #expect(Self.outcome(.incoming(Self.info(3)), &bench) == [.merged], "its call is over")
        var offered = Bench()
        offered.offer()
        #expect(Self.outcome(.incoming(Self.info(4)), &offered) == [.merged])
    }

    @Test func refusalIsReportedWithItsRecord() {
        var bench = Bench()
        bench.ask(.doNotDisturb(true))
        let effects = bench.post(.callerInfo(.incoming(Self.info(1))))
        #expect(Self.outcome(effects) == [.refused])
        #expect(bench.records.map(\.reason) == [.doNotDisturb])
    }

    @Test func endIsReported() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(Self.info(1))))
        #expect(Self.outcome(.ended(Self.info(2)), &bench) == [.ended])
        #expect(Self.outcome(.ended(Self.info(3)), &bench) == [.dropped], "no call is left")
        #expect(Self.outcome(.ended(Self.info(4, ["b"])), &bench) == [.ended], "another call may follow")
    }

    @Test func endThatOvertakesItsCallIsRemembered() {
        var bench = Bench()
        #expect(Self.outcome(.ended(Self.info(1)), &bench) == [.ended])
        #expect(Self.outcome(.incoming(Self.info(2)), &bench) == [.refused])
    }

    @Test func oldMessageIsDroppedAndReported() {
        var bench = Bench()
        bench.run(.seconds(60))
        #expect(Self.outcome(.incoming(Self.info(1)), &bench) == [.dropped])
        #expect(Self.outcome(.ended(Self.info(2)), &bench) == [.dropped])
        #expect(bench.records.isEmpty)
    }

    @Test func messageWithoutATicketIsNotReported() {
        var bench = Bench()
        #expect(Self.outcome(.incoming(CallerInfoTests.info(["a"])), &bench).isEmpty)
        #expect(bench.summary(CallID(.info, 1)) != nil)
    }
}
