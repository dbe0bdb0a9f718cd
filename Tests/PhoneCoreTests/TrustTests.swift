import Base
import PhoneCore
import Testing

/// Rights need a vouched number; blocking works with any number.
@Suite("Trust in caller numbers")
struct TrustTests {
    private static func automatic(_ callers: [ListedCaller]) -> PhonePolicy {
        var policy = Sample.policy
        policy.autoAnswer.callers = callers
        policy.autoAnswer.onlyWhenAsked = false
        return policy
    }

    private static func phase(_ caller: Caller, _ policy: PhonePolicy) -> CallSummary.Phase? {
        var bench = Bench(policy: policy)
        bench.line(.offered(Sample.first, caller))
        return bench.phase()
    }

    @Test(
        "a listed number matches only the account's own domain",
        arguments: [
            (nil, false), (AssertedNumber("200"), true), (AssertedNumber("2-0 0"), false),
            (AssertedNumber("2.0.0"), false), (AssertedNumber("(200)"), false),
            (AssertedNumber("1200"), false),
            (AssertedNumber("200", domain: "trunk.example"), false), (AssertedNumber("+49200"), false),
        ] as [(AssertedNumber?, Bool)])
    func listedNumberMatchesOwnDomainOnly(vouched: AssertedNumber?, isAnswered: Bool) {
        let caller = Caller(number: "200", account: .direct, vouched: vouched)
        #expect(Self.phase(caller, Self.automatic([ListedCaller("200")])) == (isAnswered ? .connecting : .ringingIn))
    }

    /// A listed caller who knocks does not cause an answer to the earlier, ringing call.
    @Test func listedCallerDoesNotAnswerOtherCall() {
        var bench = Bench(policy: Self.automatic([ListedCaller("200")]))
        bench.line(.offered(Sample.first, Caller(number: "300", account: .direct, vouched: AssertedNumber("300"))))
        bench.line(.offered(Sample.second, Caller(number: "200", account: .direct, vouched: AssertedNumber("200"))))
        #expect(bench.phase() == .ringingIn && bench.phase(Sample.second) == .ringingIn)
    }

    @Test func listMatchesOtherDomainsAndHostsByName() {
        let other = Caller(number: "200", account: .direct, vouched: AssertedNumber("200", domain: "other.example"))
        #expect(Self.phase(other, Self.automatic([ListedCaller("200", domain: "Other.example")])) == .connecting)
        #expect(Self.phase(other, Self.automatic([ListedCaller("201", domain: "other.example")])) == .ringingIn)
        let peer = Caller(number: "door", account: .direct, vouched: AssertedNumber("door", domain: "192.0.2.7"))
        #expect(Self.phase(peer, Self.automatic([ListedCaller(nil, domain: "192.0.2.7")])) == .connecting)
        #expect(Self.phase(peer, Self.automatic([ListedCaller(nil, domain: "192.0.2.8")])) == .ringingIn)
        #expect(Self.phase(peer, Self.automatic([ListedCaller("door")])) == .ringingIn)
        #expect(Self.phase(peer, Self.automatic([ListedCaller("Door", domain: "192.0.2.7")])) == .connecting)
    }

    /// Caller info decides how the call is shown, but grants no rights.
    @Test func callerInfoGrantsNoRights() {
        var bench = Bench(policy: Self.automatic([ListedCaller("200")]))
        bench.post(.callerInfo(.incoming(CallerInfo(ids: ["a"], number: "200", sent: bench.now))))
        bench.line(.offered(Sample.first, Caller(number: "666", account: .direct, ids: ["a"])))
        #expect(bench.machine.snapshot.calls.map(\.phase) == [.ringingIn])
    }

    @Test func unverifiedNumberCanBeBlocked() {
        var policy = Sample.policy
        policy.blocked = ["666"]
        #expect(Self.phase(Caller(number: "666", account: .direct), policy) == nil)
    }

    @Test(arguments: [true, false]) func withheldCallersCanBeBlocked(isBlocking: Bool) {
        var policy = Sample.policy
        policy.blocksWithheld = isBlocking
        for caller in [
            Caller(number: "anonymous", isWithheld: true, account: .direct), Caller(number: "", account: .direct),
        ] {
            #expect((Self.phase(caller, policy) == nil) == isBlocking)
        }
        #expect(Self.phase(Sample.caller, policy) == .ringingIn)
    }

    // MARK: Unanswered requests

    @Test func automaticAnswerWaitsForACK() {
        var bench = Bench(policy: Self.automatic([ListedCaller("+15550100")]))
        bench.offer()
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        bench.run(.seconds(7))
        #expect(bench.ends == [.timedOut], "the caller did not answer")
        #expect(!bench.log.contains { if case .media(.connect) = $0 { true } else { false } }, "not one packet")
        var lifted = Bench()
        lifted.offer()
        lifted.lift()
        #expect(lifted.did(.answer(Sample.first, Sample.endpoint, awaitingACK: false)))
        var asked = Bench()
        asked.offer()
        asked.ask(.answer(nil))
        #expect(asked.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
    }

    @Test func callEndedBeforeACKCountsAsAnswered() {
        var bench = Bench(policy: Self.automatic([ListedCaller("+15550100")]))
        bench.offer()
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.ends == [.hungUpThere] && bench.machine.snapshot.missed.isEmpty)
    }

    // MARK: Refused by a line

    @Test(arguments: CallRefusal.allCases) func refusedCallIsReportedWithReason(reason: CallRefusal) {
        var bench = Bench()
        bench.line(.refused(Sample.caller, from: "192.0.2.1", because: reason))
        let told = RefusedCall(
            account: .direct, number: "+15550100", name: "Ada", from: "192.0.2.1", reason: reason)
        #expect(bench.noticed(.callRefused(told)))
        #expect(bench.machine.snapshot.refusedCalls == 1)
        let isMissed: [CallRefusal] = [
            .noProtection, .protectionUnsupported, .noCommonCodec, .noAudio, .unusableMedia, .noICE, .noRoom,
            .tooOften, .unsupported, .malformed,
        ]
        #expect(bench.machine.snapshot.missed.count == (isMissed.contains(reason) ? 1 : 0))
        #expect(bench.records.count == bench.machine.snapshot.missed.count)
        #expect(bench.machine.snapshot.calls.isEmpty && bench.machine.deadline == nil)
    }

    @Test func stoppingPhoneMissesNoCalls() {
        var bench = Bench()
        bench.talk()
        bench.post(.shutDown)
        bench.line(.refused(Sample.caller, from: "192.0.2.1", because: .noProtection))
        #expect(bench.machine.snapshot.refusedCalls == 1 && bench.machine.snapshot.missed.isEmpty)
    }

    @Test func blockedCallerIsNotMissed() {
        var policy = Sample.policy
        policy.blocked = ["+15550100"]
        var bench = Bench(policy: policy)
        bench.line(.refused(Sample.caller, from: "192.0.2.1", because: .noProtection))
        #expect(bench.machine.snapshot.missed.isEmpty)
    }
}

/// Text from strangers is bounded on arrival. A silent call that was answered automatically ends.
@Suite("Floods of strangers")
struct BoundsTests {
    @Test func callerInfoIsBounded() throws {
        var bench = Bench()
        let marks = String(repeating: "\u{301}", count: 3_900)
        let info = CallerInfo(
            ids: [String(repeating: "i", count: 500), "a"], number: "200", name: "A\(marks)nna\u{202E}",
            avatar: String(repeating: "u", count: 5_000), sent: bench.now)
        bench.post(.callerInfo(.incoming(info)))
        let call = try #require(bench.machine.snapshot.calls.first)
        #expect(try #require(call.name).unicodeScalars.count == 8 && call.avatar == nil)
    }

    /// A caller with `recvonly` sends no voice. If a person answered, that is accepted; if the phone answered
    /// automatically, the call ends. Holding the call, or holding and resuming it, does not change this.
    @Test(arguments: [true, false], Silencing.allCases)
    func silentCallEndsAfterAutomaticAnswerOnly(byHand: Bool, silencing: Silencing) {
        var policy = Sample.policy
        policy.autoAnswer.callers = byHand ? [] : [ListedCaller("+15550100")]
        policy.autoAnswer.onlyWhenAsked = false
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.offer()
        if byHand { bench.lift() }
        let only = Sample.plan(receives: false)
        bench.line(.answered(Sample.first, silencing == .receivesOnly ? only : Sample.plan))
        bench.media(.ready(Sample.first))
        if silencing != .receivesOnly { bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true)) }
        bench.media(.silent(Sample.first))
        bench.run(.seconds(24))
        #expect(bench.ends.isEmpty)
        if silencing == .holdsAndResumes {
            bench.line(.renegotiated(Sample.first, only, heldByFarEnd: false))
            bench.line(.renegotiated(Sample.first, Sample.heldPlan, heldByFarEnd: true))
        }
        bench.run(.seconds(3))
        #expect(bench.ends == (byHand ? [] : [.mediaLost]))
    }

    enum Silencing: CaseIterable { case receivesOnly, holds, holdsAndResumes }
}
