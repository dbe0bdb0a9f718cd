import Base
import PhoneCore
import Testing

@Suite("Silence, network and reports")
struct PathTests {
    @Test func thirtySecondsWithoutMediaEndCall() {
        var bench = Bench()
        bench.talk()
        bench.run(.seconds(5))
        bench.media(.silent(Sample.first))
        bench.run(.milliseconds(24_999))
        #expect(bench.phase() == .active)
        bench.run(.milliseconds(1))
        #expect(bench.did(.end(Sample.first, because: .mediaLost)))
        bench.run(.seconds(2))
        #expect(bench.ends == [.mediaLost])
    }

    @Test func resumedPacketsKeepCall() {
        var bench = Bench()
        bench.talk()
        bench.media(.silent(Sample.first))
        bench.run(.seconds(20))
        bench.media(.heard(Sample.first))
        bench.run(.seconds(100))
        #expect(bench.phase() == .active)
    }

    @Test func silenceIsReportedOnceAndCountsFromThen() {
        var bench = Bench()
        bench.talk()
        bench.media(.silent(Sample.first))
        bench.run(.seconds(20))
        bench.media(.silent(Sample.first))
        bench.run(.seconds(5))
        #expect(bench.phase() == .disconnecting)
    }

    @Test func heldCallMayBeSilent() {
        var bench = Bench()
        bench.talk()
        bench.media(.silent(Sample.first))
        bench.run(.seconds(10))
        bench.holdFirst()
        bench.run(.seconds(300))
        #expect(bench.phase() == .onHold)
        bench.ask(.resume(nil))
        bench.line(.holdSettled(Sample.first, Sample.plan))
        bench.run(.milliseconds(29_999))
        #expect(bench.phase() == .active)
        bench.run(.milliseconds(1))
        #expect(bench.phase() == .disconnecting, "after a resume the whole time is given again")
    }

    @Test func remotelyHeldCallMayBeSilent() {
        var bench = Bench()
        bench.talk()
        bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
        bench.media(.silent(Sample.first))
        bench.run(.seconds(300))
        #expect(bench.phase() == .onHold)
    }

    @Test func silenceBeforeAnswerCountsFromAnswer() {
        var bench = Bench()
        bench.dial()
        bench.line(.earlyMedia(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        bench.media(.silent(Sample.dialled))
        bench.run(.seconds(28))
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.run(.milliseconds(29_999))
        #expect(bench.phase(Sample.dialled) == .active)
        bench.run(.milliseconds(1))
        #expect(bench.phase(Sample.dialled) == .disconnecting)
    }

    @Test func registrationIsReportedOnChange() {
        var bench = Bench()
        let account = AccountID(3)
        bench.line(.registration(account, .registering))
        bench.line(.registration(account, .registered))
        let again = bench.post(.line(.registration(account, .registered)))
        #expect(again.isEmpty)
        #expect(bench.noticed(.registrationChanged(account, .registering)))
        #expect(bench.noticed(.registrationChanged(account, .registered)))
        #expect(bench.machine.snapshot.registrations == [account: .registered])
    }

    @Test func accountsAreLimited() {
        var bench = Bench()
        for number in 1...100 as ClosedRange<Int64> { bench.line(.registration(AccountID(number), .registered)) }
        #expect(bench.machine.snapshot.registrations.count == 64)
    }

    @Test func everyPhaseChangeIsReported() {
        var bench = Bench()
        bench.dial()
        bench.line(.answered(Sample.dialled, Sample.plan))
        bench.media(.ready(Sample.dialled))
        bench.replace()
        bench.line(.ended(Sample.dialled, .hungUpHere))
        let phases: [CallSummary.Phase] = bench.log.compactMap {
            switch $0 {
            case .control(.notice(.callChanged(let summary))), .control(.notice(.callEnded(let summary, _))):
                summary.phase
            case .control, .panel, .line, .media, .vault, .callerInfo, .backend, .display, .stopped: nil
            }
        }
        // Two notices of ringing: the number was dialled, and the far end's phone rings.
        #expect(phases == [.ringingOut, .ringingOut, .connecting, .active, .disconnecting, .ended])
    }

    @Test func mediaReportsPassWhileVoiceIsOn() {
        var bench = Bench()
        bench.offer()
        bench.media(.firstVoice(Sample.first))
        #expect(!bench.noticed(.firstVoice(Sample.first)))
        bench.lift()
        bench.connect()
        bench.media(.firstVoice(Sample.first))
        bench.media(.dtmfReceived(Sample.first, .nine))
        bench.media(.quality(Sample.first, VoiceQuality(lossPercent: 1)))
        #expect(bench.noticed(.firstVoice(Sample.first)))
        #expect(bench.noticed(.dtmfReceived(Sample.first, .nine)))
        #expect(bench.noticed(.qualityUpdated(Sample.first, VoiceQuality(lossPercent: 1))))
    }

    @Test func vaultFaultIsReported() {
        var bench = Bench()
        bench.post(.vault(.failed("disk full")))
        #expect(bench.noticed(.trouble("disk full", .vault)))
    }

    @Test func snapshotRequestIsSettled() {
        var bench = Bench()
        bench.talk()
        let expected = bench.machine.snapshot
        #expect(bench.ask(.status) == .fulfilled)
        #expect(bench.log.contains(.control(.snapshot(Sample.action(1), expected))))
        #expect(expected.hook == .offHook)
    }

    @Test func staleDeadlineChangesNothing() {
        var bench = Bench()
        bench.offer()
        let effects = bench.post(.deadline)
        #expect(effects.isEmpty)
    }

    @Test func dueDeadlineRunsBeforeLateEvent() {
        var bench = Bench()
        bench.offer()
        bench.skip(.seconds(31))
        bench.lift()
        #expect(bench.phase() == .disconnecting)
        #expect(bench.machine.snapshot.tone == .dial)
        bench.line(.ended(Sample.first, .noAnswer))
        #expect(bench.ends == [.noAnswer])
    }

    @Test func requestForUnknownCallIsRejected() {
        var bench = Bench()
        let requests: [Request] = [
            .answer(Sample.first), .hangUp(Sample.first), .hold(Sample.first), .resume(Sample.first),
            .dtmf(Sample.first, [.pause]), .answer(nil), .hangUp(nil),
        ]
        for request in requests { #expect(bench.ask(request) == .failed(.noSuchCall)) }
    }

    @Test func secondHangUpIsAlreadyUnderWay() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hangUp(nil))
        #expect(bench.ask(.hangUp(nil)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.hangUp(Sample.first)) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.answer(Sample.first)) == .failed(.wrongState))
    }

    @Test func reusedIdentifierIsOneAction() {
        var bench = Bench()
        bench.offer()
        bench.post(.request(Sample.action(1), .answer(nil)))
        bench.post(.request(Sample.action(1), .hangUp(nil)))
        #expect(bench.phase() == .connecting)
        bench.connect()
        #expect(bench.outcome(of: 1) == .fulfilled)
    }
}
