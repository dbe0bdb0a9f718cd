import Base
import PhoneCore
import Testing

/// §6: facts that only one of the two sources knows, and repeated calls.
@Suite("Two sources that complete each other")
struct CallerInfoAgainTests {
    /// Callers that gave up, each with another number.
    private static func crowd(_ count: Int) -> Bench {
        var bench = Bench()
        for number in 1...count {
            let call = CallID(.line(.direct), UInt32(number))
            bench.line(.offered(call, Caller(number: "555\(1000 + number)", account: .direct)))
            bench.line(.ended(call, .cancelledThere))
        }
        return bench
    }

    /// At most 32 calls that end within ten seconds are remembered. Later info about a forgotten one is announced.
    @Test(arguments: [(32, true), (33, false)]) func remembersThirtyTwoEndedCalls(_ count: Int, _ isRemembered: Bool) {
        var bench = Self.crowd(count)
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(number: "5551002"))))
        #expect(bench.machine.snapshot.calls.isEmpty, "the second is remembered either way")
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(number: "5551001"))))
        #expect(bench.machine.snapshot.calls.isEmpty == isRemembered)
    }

    /// An ID on one side only does not make it another call.
    @Test func numberMatchesWhenOneSideHasNoID() {
        for (offered, told) in [(["a"], []), ([], ["a"])] {
            var bench = Bench()
            bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct, ids: offered)))
            bench.line(.ended(Sample.first, .cancelledThere))
            bench.post(.callerInfo(.incoming(CallerInfoTests.info(told))))
            #expect(bench.machine.snapshot.calls.isEmpty, "offered \(offered), told \(told)")
        }
    }

    @Test func declinedInfoRejectsOfferWithSameNumber() {
        for (told, offered) in [(["a"], []), ([], ["a"])] {
            var bench = Bench()
            bench.post(.callerInfo(.incoming(CallerInfoTests.info(told))))
            bench.ask(.hangUp(CallID(.info, 1)))
            bench.line(.offered(Sample.second, Caller(number: "5550199", account: .direct)))
            #expect(bench.phase(Sample.second) == .ringingIn, "another number is another call")
            bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct, ids: offered)))
            #expect(bench.did(.refuse(Sample.first, .declined)), "offered \(offered), told \(told)")
        }
    }

    @Test func infoWithoutNumberTakesOfferNumber() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(["a"], number: ""))))
        bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct, ids: ["a"])))
        #expect(bench.summary(CallID(.info, 1))?.number == "+15550100")
    }

    /// A backend may add eight IDs to a call; more are ignored.
    @Test(arguments: [("8", true), ("9", false)]) func keepsEightIDsPerCall(id: String, isTheSame: Bool) {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info((1...9).map(String.init), number: ""))))
        bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct, ids: [id])))
        #expect((bench.summary(CallID(.info, 1))?.number == "+15550100") == isTheSame)
    }

    /// The offer requests the automatic answer, even if the info came first.
    @Test func automaticAnswerWorksAfterEarlierInfo() {
        var policy = Sample.policy
        policy.autoAnswer.callers = [ListedCaller("+15550100")]
        var bench = Bench(policy: policy)
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        var caller = Sample.caller
        caller.wantsAutoAnswer = true
        bench.line(.offered(Sample.first, caller))
        #expect(bench.phase(CallID(.info, 1)) == .connecting)
    }

    @Test func agreeingSourcesReportNoTrouble() {
        for (told, offered) in [(["a"], ["a"]), (["a"], []), ([], ["a"])] {
            for infoFirst in [true, false] {
                var bench = Bench()
                if infoFirst { bench.post(.callerInfo(.incoming(CallerInfoTests.info(told)))) }
                bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct, ids: offered)))
                if !infoFirst { bench.post(.callerInfo(.incoming(CallerInfoTests.info(told)))) }
                #expect(bench.machine.snapshot.calls.count == 1)
                #expect(!bench.log.contains { if case .control(.notice(.trouble)) = $0 { true } else { false } })
            }
        }
    }

    /// The offer came in time, so nothing waits for it any more, answered or not.
    @Test func infoDoesNotWaitForOfferThatCame() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.run(.seconds(1))
        bench.line(.offered(Sample.first, Caller(number: "+15550100", account: .direct)))
        bench.run(.seconds(20))
        #expect(bench.phase(CallID(.info, 1)) == .ringingIn)
        #expect(bench.ends.isEmpty)
    }

    private let announced = CallID(.info, 1)

    @Test func repeatedCallAfterBothSourcesRings() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.media(.opened(announced, Sample.endpoint))
        bench.line(.offered(Sample.first, Sample.caller))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.run(.seconds(3))
        let effects = bench.post(.callerInfo(.incoming(CallerInfoTests.info(sent: bench.now))))
        #expect(effects.contains { if case .panel(.bell(.some)) = $0 { true } else { false } })
    }

    @Test func infoNumberFillsMissingLineNumber() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "", account: .direct, ids: ["x"])))
        #expect(bench.summary()?.number == "" && bench.summary()?.isWithheld == false)
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(["x"]))))
        #expect(bench.summary()?.number == "15550100")
    }
}
