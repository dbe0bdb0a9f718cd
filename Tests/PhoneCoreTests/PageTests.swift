import Base
import PhoneCore
import Testing

/// Pages: priorities, calls, and the person's choice.
@Suite("Pages")
struct PageTests {
    private static let fire = Page(group: 1, label: "fire")
    private static let yard = Page(group: 2, label: "yard")
    private static let hall = Page(group: 3, label: "hall")
    private static let canteen = Page(group: 4, label: "canteen")

    private static func bench() -> Bench {
        var policy = Sample.policy
        policy.paging = PagingPolicy(groups: Sample.groups)
        policy.displayLanguage = .english
        return Bench(policy: policy)
    }

    @Test func pageIsHeardUntilItEnds() {
        var bench = Self.bench()
        bench.media(.pageStarted(3))
        #expect(bench.did(.page(3)) && bench.noticed(.pageStarted(Self.hall)))
        #expect(bench.machine.snapshot.page == Self.hall)
        #expect(bench.machine.snapshot.display?.notes.contains("Page: hall") == true)
        bench.forget()
        bench.media(.pageEnded(3))
        #expect(bench.did(.page(nil)) && bench.noticed(.pageEnded(Self.hall)))
        #expect(bench.machine.snapshot.page == nil)
    }

    @Test func higherPriorityPageInterrupts() {
        var bench = Self.bench()
        bench.media(.pageStarted(3))
        bench.media(.pageStarted(4))
        #expect(bench.noticed(.pageNotHeard(Self.canteen, .priority)))
        #expect(bench.machine.snapshot.page == Self.hall)
        bench.forget()
        bench.media(.pageStarted(2))
        #expect(bench.did(.page(2)) && !bench.did(.page(nil)), "without a gap")
        #expect(bench.noticed(.pageEnded(Self.hall)) && bench.noticed(.pageStarted(Self.yard)))
        bench.media(.pageEnded(3))
        #expect(bench.machine.snapshot.page == Self.yard)
        bench.media(.pageEnded(2))
        #expect(bench.machine.snapshot.page == Self.canteen, "the continuing one returns")
    }

    @Test func pageDoesNotInterruptCall() {
        var bench = Self.bench()
        bench.talk()
        bench.forget()
        bench.media(.pageStarted(3))
        #expect(!bench.did(.page(3)) && bench.noticed(.pageNotHeard(Self.hall, .busy)))
        #expect(!bench.did(.pause(true)))
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        #expect(bench.did(.page(3)), "the rest of it is heard after the call")
    }

    /// The far end would hear the page from the loudspeaker.
    @Test func permittedGroupInterruptsCall() {
        var bench = Self.bench()
        bench.talk()
        bench.forget()
        bench.media(.pageStarted(2))
        #expect(bench.did(.page(2)) && bench.did(.pause(true)))
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(bench.phase() == .active)
        bench.run(.seconds(120))
        #expect(bench.phase() == .active, "however long it takes")
        bench.media(.pageEnded(2))
        #expect(bench.did(.pause(false)) && bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func answeringCallEndsPage() {
        var bench = Self.bench()
        bench.post(.panel(.hookFound(.onHook)))
        bench.media(.pageStarted(3))
        bench.offer()
        #expect(bench.machine.snapshot.ringing && bench.machine.snapshot.page == Self.hall, "it rings during that")
        bench.lift()
        #expect(bench.did(.page(nil)) && bench.noticed(.pageEnded(Self.hall)))
        bench.connect()
        #expect(bench.phase() == .active && bench.machine.snapshot.page == nil)
        #expect(!bench.did(.pause(true)))
    }

    @Test func liftedHandsetHearsDialToneOnly() {
        var bench = Self.bench()
        bench.media(.pageStarted(3))
        bench.lift()
        #expect(bench.machine.snapshot.page == nil && bench.machine.snapshot.tone == .dial)
        bench.media(.pageStarted(1))
        #expect(bench.machine.snapshot.page == Self.fire && bench.machine.snapshot.tone == nil)
        bench.media(.pageEnded(1))
        #expect(bench.machine.snapshot.tone == .dial)
    }

    @Test func onlyEmergencyPageIgnoresDoNotDisturb() {
        var bench = Self.bench()
        bench.ask(.doNotDisturb(true))
        bench.media(.pageStarted(2))
        #expect(bench.noticed(.pageNotHeard(Self.yard, .doNotDisturb)))
        #expect(bench.machine.snapshot.page == nil)
        bench.media(.pageStarted(1))
        #expect(bench.machine.snapshot.page == Self.fire)
        bench.media(.pageEnded(1))
        bench.ask(.doNotDisturb(false))
        #expect(bench.machine.snapshot.page == Self.yard, "it is still under way")
    }

    @Test func pageWaitsForSoundDevice() {
        var bench = Self.bench()
        bench.media(.interrupted)
        bench.media(.pageStarted(1))
        #expect(bench.noticed(.pageNotHeard(Self.fire, .interruption)))
        bench.media(.interruptionEnded)
        #expect(bench.did(.page(1)))
    }

    @Test(arguments: [0, 5, 255] as [UInt8]) func unconfiguredGroupIsIgnored(group: UInt8) {
        var bench = Self.bench()
        #expect(bench.post(.media(.pageStarted(group))).isEmpty)
        var without = Bench()
        #expect(without.post(.media(.pageStarted(1))).isEmpty)
        #expect(without.machine.snapshot.page == nil)
    }

    @Test func groupsAreJoinedOnCurrentNetwork() {
        var bench = Self.bench()
        bench.network(Sample.home)
        #expect(bench.did(.joinPages(Sample.home.addresses)))
        bench.forget()
        bench.network(.none)
        bench.run(.seconds(1))
        bench.network(Sample.home)
        bench.run(.seconds(1))
        #expect(bench.times(.joinPages(Sample.home.addresses)) == 1, "again, as the interface may be another one")
        var without = Bench()
        without.network(Sample.home)
        #expect(!without.did(.joinPages(Sample.home.addresses)))
    }

    @Test func shutdownEndsPage() {
        var bench = Self.bench()
        bench.media(.pageStarted(1))
        bench.post(.shutDown)
        #expect(bench.did(.page(nil)))
    }
}
