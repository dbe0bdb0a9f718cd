import PhoneCore
import Testing

/// The sound for a far end on hold, with hold music configured.
@Suite("Hold music")
struct HoldMusicTests {
    private static let policy: PhonePolicy = {
        var policy = Sample.policy
        policy.playsHoldMusic = true
        return policy
    }()
    /// The terms when we hold: `sendonly`.
    private static let sendonly = Sample.plan(sends: true, receives: false)

    private func bench() -> Bench {
        var bench = Bench(policy: Self.policy)
        bench.talk()
        bench.forget()
        return bench
    }

    private func place(of effect: MediaEffect, in bench: Bench) -> Int? {
        bench.log.firstIndex(of: .media(effect))
    }

    @Test func playsFromFarEndAgreementUntilResume() throws {
        var bench = bench()
        bench.ask(.hold(nil))
        #expect(bench.did(.microphone(Sample.first, open: false)))
        #expect(!bench.did(.holdMusic(Sample.first, on: true)), "the far end has not agreed yet")
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        #expect(bench.did(.update(Sample.first, Self.sendonly)))
        #expect(bench.times(.holdMusic(Sample.first, on: true)) == 1)
        bench.forget()
        bench.ask(.resume(nil))
        #expect(!bench.did(.holdMusic(Sample.first, on: false)), "it is still held")
        bench.line(.holdSettled(Sample.first, Sample.plan))
        let off = try #require(place(of: .holdMusic(Sample.first, on: false), in: bench))
        let open = try #require(place(of: .microphone(Sample.first, open: true), in: bench))
        #expect(off < open, "never both")
    }

    @Test func withoutMusicHeldFarEndHearsNothing() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        #expect(bench.did(.update(Sample.first, Sample.heldPlan)))
        #expect(!bench.did(.holdMusic(Sample.first, on: true)))
    }

    @Test func failedHoldPlaysNoMusic() {
        var bench = bench()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, nil))
        #expect(!bench.did(.holdMusic(Sample.first, on: true)))
    }

    /// The far end answers `inactive`: it holds us, too, or wants no music.
    @Test func inactiveFarEndGetsNoMusic() {
        var bench = bench()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Sample.heldPlan))
        #expect(bench.did(.update(Sample.first, Sample.heldPlan)))
    }

    @Test func muteBeforeHoldIsRestored() {
        var bench = bench()
        bench.ask(.mute(true))
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        bench.ask(.resume(nil))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.did(.holdMusic(Sample.first, on: false)))
        #expect(!bench.did(.microphone(Sample.first, open: true)))
    }

    @Test func onlyWaitingCallOfTwoHearsMusic() {
        var bench = Bench(policy: Self.policy)
        bench.talk()
        bench.offer(Sample.second)
        bench.press(.hold)
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        bench.connect(Sample.second)
        #expect(bench.did(.holdMusic(Sample.first, on: true)) && !bench.did(.holdMusic(Sample.second, on: true)))
        bench.forget()
        bench.press(.hold)
        bench.line(.holdSettled(Sample.second, Self.sendonly))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        #expect(bench.did(.holdMusic(Sample.second, on: true)) && bench.did(.holdMusic(Sample.first, on: false)))
    }

    @Test func musicContinuesWhenCallMoves() {
        var bench = bench()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        bench.forget()
        bench.network(NetworkPath(.wifi, addresses: ["192.0.2.77"]))
        bench.run(.seconds(1))
        bench.line(.moved(Sample.first, Self.sendonly))
        #expect(bench.did(.update(Sample.first, Self.sendonly)))
        #expect(!bench.did(.holdMusic(Sample.first, on: false)))
    }

    @Test func musicEndsSilentlyWithItsCall() {
        var bench = bench()
        bench.ask(.hold(nil))
        bench.line(.holdSettled(Sample.first, Self.sendonly))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.did(.release(Sample.first)))
        #expect(!bench.did(.holdMusic(Sample.first, on: false)))
    }
}
