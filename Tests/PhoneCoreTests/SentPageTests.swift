import Base
import PhoneCore
import Testing

/// Pages that the person at the phone sends.
@Suite("Sent pages")
struct SentPageTests {
    static let yard = Page(group: 2, label: "yard")
    static let hall = Page(group: 3, label: "hall")
    static let open = MediaEffect.sendPage(PageSending(group: 3, isOpen: true))

    static func bench() -> Bench {
        var policy = Sample.policy
        policy.paging = PagingPolicy(groups: Sample.groups)
        policy.displayLanguage = .english
        var bench = Bench(policy: policy)
        bench.post(.panel(.hookFound(.onHook)))
        return bench
    }

    private static func paging() -> Bench {
        var bench = bench()
        bench.lift()
        bench.press(.page(3))
        return bench
    }

    @Test func personPagesWithHandset() {
        var bench = Self.bench()
        bench.lift()
        #expect(bench.ask(.startPage(group: 3)) == .fulfilled)
        #expect(bench.did(Self.open) && bench.noticed(.pageSendingStarted(Self.hall)))
        let shown = bench.machine.snapshot
        #expect(shown.sentPage == Self.hall && shown.tone == nil && shown.route == .handset)
        #expect(shown.display?.title == "hall" && shown.display?.detail == "You are paging")
        #expect(bench.lamp(.line) == .on)
        #expect(bench.ask(.stopPage) == .fulfilled)
        #expect(bench.did(.sendPage(nil)) && bench.noticed(.pageSendingEnded(Self.hall, .stopped)))
        #expect(bench.machine.snapshot.sentPage == nil && bench.machine.snapshot.tone == .dial)
        #expect(bench.ask(.stopPage) == .failed(.wrongState))
    }

    @Test func keyStartsAndStopsPageWithoutHandset() {
        var bench = Self.bench()
        bench.press(.page(3))
        #expect(bench.did(Self.open) && bench.machine.snapshot.route == .speaker)
        bench.press(.page(2))
        #expect(bench.machine.snapshot.sentPage == Self.hall, "one page at a time")
        bench.press(.page(3))
        let shown = bench.machine.snapshot
        #expect(shown.sentPage == nil && shown.route == .handset && shown.tone == nil)
    }

    @Test func hangUpEndsPage() {
        var bench = Self.paging()
        bench.replace()
        #expect(bench.did(.sendPage(nil)) && bench.noticed(.pageSendingEnded(Self.hall, .stopped)))
        var handsFree = Self.bench()
        handsFree.press(.page(3))
        handsFree.lift()
        #expect(handsFree.machine.snapshot.sentPage == Self.hall, "it continues at the handset")
        handsFree.replace()
        #expect(handsFree.machine.snapshot.sentPage == nil)
    }

    @Test func pageStopsAtGroupLimit() {
        var bench = Self.paging()
        bench.run(.milliseconds(59_999))
        #expect(bench.machine.snapshot.sentPage == Self.hall)
        bench.run(.milliseconds(1))
        #expect(bench.noticed(.pageSendingEnded(Self.hall, .tooLong)))
        #expect(bench.machine.snapshot.tone == .congestion, "the person hears it")
    }

    @Test func unpageableGroupsAreRefused() {
        var bench = Self.bench()
        for group in [0, 5, 255] as [UInt8] { #expect(bench.ask(.startPage(group: group)) == .failed(.invalidTarget)) }
        #expect(bench.ask(.startPage(group: 4)) == .failed(.notSupported), "it is only heard")
        bench.media(.pageStarted(3))
        #expect(bench.ask(.startPage(group: 3)) == .failed(.alreadyUnderWay), "somebody speaks there")
        bench.media(.pageEnded(3))
        #expect(bench.ask(.startPage(group: 3)) == .fulfilled)
        #expect(bench.ask(.startPage(group: 2)) == .failed(.alreadyUnderWay))
        var without = Bench()
        #expect(without.ask(.startPage(group: 1)) == .failed(.invalidTarget))
    }

    @Test func activeCallMustBeHeldFirst() {
        var bench = Self.bench()
        bench.talk()
        #expect(bench.ask(.startPage(group: 3)) == .failed(.soundInUse))
        bench.holdFirst()
        bench.forget()
        #expect(bench.ask(.startPage(group: 3)) == .fulfilled)
        #expect(bench.phase() == .onHold && bench.did(Self.open))
        #expect(!bench.did(.microphone(Sample.first, open: true)), "a held call hears nothing of it")
        bench.replace()
        #expect(bench.phase() == .onHold, "only the page is left")
        bench.lift()
        bench.ask(.startPage(group: 3))
        bench.forget()
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.phase() == .active && bench.noticed(.pageSendingEnded(Self.hall, .call)))
        let over = bench.log.firstIndex(of: .media(.sendPage(nil)))
        let heard = bench.log.firstIndex(of: .media(.microphone(Sample.first, open: true)))
        #expect(over.flatMap { over in heard.map { over < $0 } } == true, "the page is over before the call is heard")
    }

    @Test func pageIsRefusedWhileRinging() {
        var bench = Self.bench()
        bench.offer()
        #expect(bench.ask(.startPage(group: 3)) == .failed(.soundInUse))
        #expect(bench.machine.snapshot.ringing)
    }

    /// Ringing would be heard in the page.
    @Test(arguments: [Key.speaker, .hold]) func callKnocksDuringPage(answer: Key) {
        var bench = Self.bench()
        bench.press(.page(3))
        bench.offer()
        let shown = bench.machine.snapshot
        #expect(!shown.ringing && shown.tone == .callWaiting && shown.sentPage == Self.hall)
        #expect(shown.display?.notes.contains { $0.hasPrefix("Waiting: ") } == true)
        bench.press(answer)
        bench.connect()
        #expect(bench.phase() == .active && bench.noticed(.pageSendingEnded(Self.hall, .call)))
    }

    @Test func callRingsAloudAfterPage() {
        var bench = Self.bench()
        bench.press(.page(3))
        bench.offer()
        bench.press(.page(3))
        #expect(bench.machine.snapshot.ringing && bench.phase() == .ringingIn)
    }

    @Test func muteWorksAsInCall() {
        var bench = Self.paging()
        bench.press(.mute)
        #expect(bench.did(.sendPage(PageSending(group: 3, isOpen: false))) && bench.noticed(.muteChanged(true)))
        #expect(bench.lamp(.mute) == .on)
        bench.ask(.mute(false))
        #expect(bench.times(Self.open) == 2 && bench.lamp(.mute) == .off)
        bench.press(.mute)
        bench.replace()
        #expect(bench.noticed(.muteChanged(false)), "the next one is open")
    }

    @Test func earlierReceivedPageIsHeard() {
        var bench = Self.paging()
        bench.media(.pageStarted(4))
        #expect(bench.noticed(.pageNotHeard(Page(group: 4, label: "canteen"), .busy)))
        bench.media(.pageStarted(1))
        #expect(bench.did(.sendPage(nil)) && bench.did(.page(1)))
        #expect(bench.noticed(.pageSendingEnded(Self.hall, .priority)))
        #expect(bench.ask(.startPage(group: 2)) == .failed(.soundInUse), "one that comes first is heard")
        bench.media(.pageEnded(1))
        #expect(bench.ask(.startPage(group: 2)) == .fulfilled)
    }

    @Test func laterReceivedPageWaits() {
        var bench = Self.bench()
        bench.media(.pageStarted(4))
        bench.press(.page(3))
        #expect(bench.did(.page(nil)) && bench.did(Self.open))
        bench.press(.page(3))
        #expect(bench.times(.page(4)) == 2, "and comes back")
    }

    @Test func otherUseOfSoundEndsPage() {
        var bench = Self.paging()
        bench.media(.interrupted)
        #expect(bench.noticed(.pageSendingEnded(Self.hall, .interruption)))
        #expect(bench.ask(.startPage(group: 3)) == .failed(.soundInUse))
        bench = Self.paging()
        bench.media(.pageUnsent(2, "another one"))
        #expect(bench.machine.snapshot.sentPage == Self.hall)
        bench.media(.pageUnsent(3, "no route"))
        #expect(bench.noticed(.pageSendingEnded(Self.hall, .failed)) && bench.noticed(.trouble("no route", .page)))
        bench = Self.paging()
        bench.ask(.dial("5550100", account: nil))
        #expect(bench.noticed(.pageSendingEnded(Self.hall, .call)))
        bench = Self.paging()
        bench.post(.shutDown)
        #expect(bench.did(.sendPage(nil)))
    }

    /// Two phones in one network: one sends, the other hears it.
    @Test func secondPhoneHearsPage() {
        var (speaker, listener) = (Self.bench(), Self.bench())
        func carry() {
            for case .media(.sendPage(let page)) in speaker.log {
                listener.media(page.map { .pageStarted($0.group) } ?? .pageEnded(3))
            }
            speaker.forget()
        }
        speaker.press(.page(3))
        carry()
        #expect(listener.machine.snapshot.page == Self.hall && listener.did(.page(3)))
        listener.press(.page(3))
        #expect(listener.machine.snapshot.sentPage == nil, "it does not send into a received page")
        speaker.press(.page(3))
        carry()
        #expect(listener.machine.snapshot.page == nil && listener.did(.page(nil)))
        listener.press(.page(3))
        #expect(listener.machine.snapshot.sentPage == Self.hall)
    }
}
