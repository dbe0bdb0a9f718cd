import Base
import PhoneCore
import Testing

/// The configuration changes while the phone runs.
@Suite struct PolicyChangeTests {
    private static func policy(code: [DTMFSymbol] = [.four, .seven, .one, .one]) -> PhonePolicy {
        var policy = Sample.policy
        policy.flash = FlashTimes()
        policy.displayLanguage = .english
        policy.relays = [1: RelayPolicy(code: RelayCode(code, callers: [ListedCaller("+15550100")]))]
        return policy
    }

    private static func dial(_ bench: inout Bench, _ symbols: String) {
        for symbol in symbols.compactMap({ DTMFSymbol($0) }) { bench.media(.dtmfReceived(Sample.first, symbol)) }
    }

    private static func outcomes(_ bench: Bench) -> [CodeOutcome] {
        bench.log.compactMap { if case .control(.notice(.codeTried(_, let outcome))) = $0 { outcome } else { nil } }
    }

    @Test func changedDoorCodeCountsInRunningCall() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        #expect(bench.post(.policyChanged(Self.policy(code: [.nine, .nine, .nine, .nine]))).isEmpty)
        Self.dial(&bench, "4711#9999#")
        let outcomes = Self.outcomes(bench)
        #expect(outcomes.count == 2 && outcomes.last == .right(relay: 1))
        #expect(bench.phase() == .active && bench.machine.snapshot.panel?.relays == [1])
    }

    @Test func callerLosesRightInRunningCall() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        var policy = Self.policy()
        policy.relays = [1: RelayPolicy()]
        bench.post(.policyChanged(policy))
        Self.dial(&bench, "4711#")
        #expect(Self.outcomes(bench).isEmpty && bench.machine.snapshot.panel == nil)
    }

    @Test func relayThatIsNoLongerConfiguredIsSwitchedOff() {
        var bench = Bench(policy: Self.policy())
        #expect(bench.ask(.relay(1, .on)) == .fulfilled)
        var policy = Self.policy()
        policy.relays = [:]
        bench.post(.policyChanged(policy))
        #expect(bench.did(.panel(.relay(1, on: false))) && bench.noticed(.relayChanged(1, on: false)))
    }

    @Test func dialPlanCountsForTheNextDigit() throws {
        var bench = Bench(policy: Self.policy())
        bench.lift()
        bench.type("20")
        var policy = Self.policy()
        policy.dialPlan = try DialPlan(patterns: ["2XX"], emergency: [])
        bench.post(.policyChanged(policy))
        bench.type("0")
        #expect(bench.phase(Sample.dialled) != nil, "the number is complete, so it is dialled at once")
    }

    @Test func displayChangesItsLanguageAtOnce() {
        var bench = Bench(policy: Self.policy())
        let before = bench.machine.snapshot.display
        var policy = Self.policy()
        policy.displayLanguage = .german
        bench.post(.policyChanged(policy))
        let after = bench.machine.snapshot.display
        #expect(before != after && after.map { bench.did(.display($0)) && bench.noticed(.displayChanged($0)) } == true)
    }

    @Test func cradleThatIsDownHangsUpWhenFlashesEnd() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        bench.replace()
        #expect(bench.phase() == .active, "it may become a flash")
        var policy = Self.policy()
        policy.flash = nil
        bench.post(.policyChanged(policy))
        #expect(bench.phase() == .disconnecting)
    }

    @Test func runningCallKeepsItsTimes() {
        var policy = Self.policy()
        policy.maximumCallTime = .seconds(600)
        var bench = Bench(policy: policy)
        bench.talk()
        (policy.maximumCallTime, policy.maximumCalls) = (.seconds(10), 1)
        bench.post(.policyChanged(policy))
        bench.run(.seconds(500))
        #expect(bench.phase() == .active)
        bench.run(.seconds(120))
        #expect(bench.ends == [.tooLong])
    }

    @Test func ringChangesWhileItRings() {
        var bench = Bench(policy: Self.policy())
        bench.network(Sample.home)
        bench.offer()
        var policy = Self.policy()
        policy.ringCadence = RingCadence([.milliseconds(400), .milliseconds(200)])
        bench.post(.policyChanged(policy))
        #expect(bench.did(.panel(.bell(policy.ringCadence))) && bench.phase() == .ringingIn)
    }

    @Test func alarmThatIsNoLongerConfiguredCallsNobody() {
        var policy = Self.policy()
        policy.alarms = ["door": AlarmPolicy(SpeedDial(["5550100"]), wait: .seconds(60), pause: .seconds(60))]
        var bench = Bench(policy: policy)
        bench.talk()
        bench.post(.panel(.input("door", active: true)))
        policy.alarms = [:]
        bench.post(.policyChanged(policy))
        bench.replace()
        bench.run(.seconds(120))
        #expect(bench.records.count == 1 && bench.machine.snapshot.calls.isEmpty)
    }

    @Test func removedAccountIsForgotten() {
        var bench = Bench(policy: Self.policy())
        let other = AccountID(9)
        for account in [AccountID.direct, other] {
            bench.line(.registration(account, .registered))
            bench.line(.messagesWaiting(account, 2))
        }
        var policy = Self.policy()
        policy.accounts = [AccountID.direct]
        bench.post(.policyChanged(policy))
        #expect(bench.machine.snapshot.registrations == [AccountID.direct: .registered])
        #expect(bench.machine.snapshot.messages == [AccountID.direct: 2])
        // The removed line reports its end.
        #expect(bench.post(.line(.registration(other, .disconnected))).isEmpty)
        #expect(bench.post(.line(.messagesWaiting(other, 3))).isEmpty)
    }

    @Test func policyOutOfRangeChangesNothing() {
        var bench = Bench(policy: Self.policy())
        bench.talk()
        var policy = Self.policy()
        policy.ringingInTime = .zero
        let before = bench.machine
        #expect(bench.post(.policyChanged(policy)).isEmpty && bench.machine == before)
    }

    /// Method: 20 seeded worlds of 5,000 events each, in which the policy changes every 50 events.
    @Test(arguments: Array(1...20) as [UInt64])
    func noChangeBreaksAnInvariant(_ seed: UInt64) {
        var world = World(seed: seed)
        let first = world.policy()
        var subject = Subject(policy: first)
        for step in 1...5_000 where subject.violation == nil {
            subject.advance(to: world.pause(before: subject.machine.deadline, at: subject.now))
            if step.isMultiple(of: 50) {
                var next = world.policy()
                // The judges measure by these, or adapters fix them at their start.
                (next.maximumCalls, next.announcer, next.soundTest) = (
                    first.maximumCalls, first.announcer, first.soundTest
                )
                (next.defaultRoute, next.paging) = (first.defaultRoute, first.paging)
                (next.recordsCalls, next.playsFiles) = (first.recordsCalls, first.playsFiles)
                next.playsHoldMusic = first.playsHoldMusic
                if step.isMultiple(of: 100) { (next.relays, next.displayLanguage) = ([:], .german) }
                world.read(subject.post(.policyChanged(next)))
            }
            world.read(subject.post(world.next(subject.machine.snapshot, at: subject.now)))
            if step.isMultiple(of: 500) { subject.rest() }
        }
        #expect(subject.violation == nil, "seed \(seed)")
    }
}
