import Base
import PhoneCore
import Testing

/// §6: what each of the two sources knows that the other does not, and whoever calls again.
@Suite("Two sources that complete each other")
struct CallerInfoAgainTests {
    private let announced = CallID(.info, 1)

    @Test func whoeverCallsAgainAfterBothSourcesToldIsHeard() {
        var bench = Bench()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info())))
        bench.media(.opened(announced, Sample.endpoint))
        bench.line(.offered(Sample.first, Sample.caller))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.run(.seconds(3))
        let effects = bench.post(.callerInfo(.incoming(CallerInfoTests.info(sent: bench.now))))
        #expect(effects.contains { if case .panel(.ringer(.some)) = $0 { true } else { false } })
    }

    @Test func aNumberThatTheLineDoesNotTellIsTheInfos() {
        var bench = Bench()
        bench.line(.offered(Sample.first, Caller(number: "", account: .direct, ids: ["x"])))
        #expect(bench.summary()?.number == "" && bench.summary()?.isWithheld == false)
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(["x"]))))
        #expect(bench.summary()?.number == "15550100")
    }
}
