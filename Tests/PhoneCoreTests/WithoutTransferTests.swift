import PhoneCore
import Testing

@Suite("Accounts without transfer")
struct WithoutTransferTests {
    /// A person learns it before a call is put on hold for it.
    @Test func missingTransferIsShownBeforeKeyIsPressed() {
        var policy = Sample.policy
        policy.withoutTransfer = [.direct]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.forget()
        #expect(bench.summary()?.canTransfer == false)
        var usual = Bench()
        usual.talk()
        #expect(usual.summary()?.canTransfer == nil)
        #expect(bench.ask(.transfer(nil, to: "5550101")) == .failed(.notSupported))
        bench.press(.transfer)
        #expect(bench.phase() == .active && !bench.did(.hold(Sample.first, true)))
        #expect(bench.machine.snapshot.tone == nil)
        let troubles = bench.log.count { if case .control(.notice(.trouble)) = $0 { true } else { false } }
        #expect(troubles == 1)
        var two = Bench(policy: policy)
        two.talkToTwo()
        #expect(two.ask(.connect(Sample.first, Sample.second)) == .failed(.notSupported))
    }
}
