import Base
import PhoneCore
import Testing

@Suite("A call ends once, whatever the cause")
struct EndingTests {
    @Test func soundStopsAtOnceWhileBYETakesTwoSeconds() {
        var bench = Bench()
        bench.talk()
        bench.forget()
        bench.ask(.hangUp(nil))
        #expect(bench.log.prefix(2) == [.media(.release(Sample.first)), .line(.end(Sample.first))])
        #expect(bench.phase() == .disconnecting)
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1_999))
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func unconfirmedBYEEndsAfterTwoSeconds() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hangUp(nil))
        bench.run(.seconds(2))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.ends == [.hungUpHere])
        #expect(bench.phase() == nil)
        bench.forget()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.log.isEmpty)
    }

    @Test func firstEndReasonWins() {
        var bench = Bench()
        bench.talk()
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.hungUpHere])
    }

    @Test func historyRecordsEndTime() {
        var bench = Bench()
        bench.offer()
        bench.run(.seconds(3))
        bench.lift()
        bench.connect()
        bench.media(.quality(Sample.first, VoiceQuality(opinionScore: 4.2)))
        bench.run(.seconds(10))
        bench.replace()
        bench.run(.seconds(1))
        bench.line(.ended(Sample.first, .hungUpHere))
        let record = HistoryEntry(
            direction: .incoming, number: "+15550100", name: "Ada", account: .direct, started: .zero,
            answered: .zero + .seconds(3), ended: .zero + .seconds(13), reason: .hungUpHere, missed: nil,
            quality: VoiceQuality(opinionScore: 4.2), protection: .clear)
        #expect(bench.records == [record])
    }

    @Test func remoteHangUpPlaysToneAtHandset() {
        var bench = Bench()
        bench.talk()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.did(.release(Sample.first)))
        #expect(!bench.did(.end(Sample.first)))
        #expect(bench.ends == [.hungUpThere])
        #expect(bench.machine.snapshot.tone == .congestion)
        bench.replace()
        #expect(bench.machine.snapshot.tone == nil)
    }

    @Test func remoteHangUpSwitchesSpeakerOff() {
        var bench = Bench()
        bench.offer()
        bench.press(.speaker)
        bench.connect()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.machine.snapshot.route == .handset)
        #expect(bench.lamp(.speaker) == .off)
    }

    @Test func failureToneOnSpeakerEnds() {
        var bench = Bench()
        bench.press(.speaker)
        bench.type("5550100#")
        bench.line(.ended(Sample.dialled, .busyThere))
        #expect(bench.machine.snapshot.tone == .busy)
        bench.run(.seconds(5))
        #expect(bench.machine.snapshot.tone == nil)
        #expect(bench.machine.snapshot.route == .handset)
    }

    @Test func hangUpByRequestWithLiftedHandsetGivesDialTone() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hangUp(nil))
        #expect(bench.machine.snapshot.tone == .dial)
    }

    @Test func mediaFailureEndsCall() {
        var bench = Bench()
        bench.talk()
        bench.media(.failed(Sample.first, "no keys"))
        #expect(bench.did(.end(Sample.first, because: .mediaFailed)))
        #expect(bench.noticed(.trouble("no keys", .media)))
        bench.run(.seconds(2))
        #expect(bench.ends == [.mediaFailed])
    }

    @Test func mediaFailureWhileRingingRefusesCall() {
        var bench = Bench()
        bench.offer()
        bench.media(.failed(Sample.first, "no port"))
        #expect(bench.did(.refuse(Sample.first, .unavailable)))
    }

    @Test func orphanedCallIsRecordedAndCleared() {
        var bench = Bench()
        let orphan = PersistedCall(
            call: "in-0.4", direction: .incoming, number: "123", name: nil, account: .direct,
            started: Instant(nanoseconds: -9), answered: Instant(nanoseconds: -8))
        bench.post(.vault(.orphanFound(orphan)))
        #expect(bench.records.map(\.reason) == [.interrupted])
        #expect(bench.records.map(\.missed) == [nil])
        #expect(bench.ends == [.interrupted])
        #expect(bench.did(.vault(.clearPersisted)))
        #expect(bench.machine.snapshot.calls.isEmpty)
    }

    @Test func orphanWithReusedSlotIsOnlyRecorded() {
        var bench = Bench()
        bench.talk()
        bench.post(
            .vault(
                .orphanFound(
                    PersistedCall(
                        call: "out-1", direction: .outgoing, number: "123", name: nil, account: .direct,
                        started: .zero, answered: .zero))))
        #expect(bench.ends == [.interrupted])
        #expect(!bench.did(.vault(.clearPersisted)))
    }

    @Test func shutdownWithoutCallsStopsAtOnce() {
        var bench = Bench()
        bench.lift()
        bench.forget()
        bench.post(.shutDown)
        #expect(bench.log.suffix(2) == [.line(.shutDown), .stopped])
        #expect(bench.machine.snapshot.tone == nil)
        bench.forget()
        bench.post(.shutDown)
        #expect(bench.log.isEmpty)
    }

    @Test func shutdownSendsBYEFirst() {
        var bench = Bench()
        bench.talkToTwo()
        bench.forget()
        bench.post(.shutDown)
        #expect(bench.did(.end(Sample.first, because: .shutDown)))
        #expect(bench.did(.end(Sample.second, because: .shutDown)))
        #expect(!bench.did(.stopped))
        bench.line(.ended(Sample.first, .shutDown))
        #expect(!bench.did(.stopped))
        bench.line(.ended(Sample.second, .shutDown))
        #expect(bench.log.suffix(2) == [.line(.shutDown), .stopped])
        #expect(bench.ends == [.shutDown, .shutDown])
    }

    @Test func shutdownTakesAtMostTwoSeconds() {
        var bench = Bench()
        bench.talk()
        bench.ask(.hold(nil))
        bench.post(.shutDown)
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.shutDown)))
        bench.run(.milliseconds(1_999))
        #expect(!bench.did(.stopped))
        bench.run(.milliseconds(1))
        #expect(bench.did(.stopped))
    }

    @Test func stoppingPhoneRefusesEverything() {
        var bench = Bench()
        bench.talk()
        bench.post(.shutDown)
        bench.offer(Sample.second, opened: false)
        #expect(bench.did(.refuse(Sample.second, .unavailable)))
        #expect(bench.ask(.dial("5550100", account: nil)) == .failed(.shuttingDown))
        #expect(bench.ask(.status) == .fulfilled)
        bench.replace()
        bench.lift()
        bench.press(.speaker)
        #expect(bench.machine.snapshot.tone == nil)
        bench.run(.seconds(2))
        #expect(bench.ask(.answer(nil)) == .failed(.shuttingDown))
        #expect(bench.machine.snapshot.lamps.values.allSatisfy { $0 == .off })
    }
}
