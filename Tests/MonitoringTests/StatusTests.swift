import Base
import Monitoring
import PhoneCore
import Testing

/// The state as text for a service manager.
@Suite struct StatusTests {
    private let start = Instant(nanoseconds: 0)
    private let names = LineNames([AccountID(1): "office", AccountID(2): "home\nWATCHDOG=1"])

    private func call(_ number: UInt32, _ phase: CallSummary.Phase) -> Notice {
        .callChanged(
            CallSummary(
                call: CallID(.phone, number), direction: .outgoing, phase: phase, number: "666", name: nil,
                isWithheld: false, account: AccountID(1), heldHere: false, heldThere: false, started: start,
                answered: nil, farEndRings: false, impaired: false, announcedByInterface: false))
    }

    @Test func statusNamesImportantFacts() {
        var figures = PhoneFigures()
        #expect(figures.status(names: names) == "idle")
        figures.take(.registrationChanged(AccountID(1), .registered), at: start)
        #expect(figures.status(names: names) == "idle, registered as office")
        figures.take(call(1, .active), at: start)
        #expect(figures.status(names: names) == "1 call, registered as office")
        figures.take(call(2, .ringingIn), at: start)
        figures.take(.registrationChanged(AccountID(2), .failed("403")), at: start)
        figures.take(.networkChanged(.disconnected, .none), at: start)
        #expect(
            figures.status(names: names)
                == "2 calls (1 rings), registered as office, home?WATCHDOG=1 is not registered, no network")
    }

    @Test func statusIsSentOnChangeAndAtMostOnceASecond() {
        var pacer = StatusPacer()
        #expect(pacer.handle("a", at: start) == "a" && pacer.deadline == nil)
        #expect(pacer.handle("a", at: start + .seconds(9)) == nil && pacer.deadline == nil)
        #expect(pacer.handle("b", at: start + .seconds(10)) == "b")
        #expect(pacer.handle("c", at: start + .milliseconds(10_100)) == nil)
        #expect(pacer.deadline == start + .seconds(11))
        #expect(pacer.handle("d", at: start + .milliseconds(10_900)) == nil)
        #expect(pacer.handle("d", at: start + .seconds(11)) == "d" && pacer.deadline == nil)
        // A change that is reverted is not sent.
        #expect(pacer.handle("e", at: start + .milliseconds(11_100)) == nil)
        #expect(pacer.handle("d", at: start + .milliseconds(11_200)) == nil && pacer.deadline == nil)
    }
}
