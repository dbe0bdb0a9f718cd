import Base
import PhoneCore
import PhoneJudges
import Testing

/// §13: tamper and door-open inputs that start a call.
@Suite("Alarms")
struct AlarmTests {
    private static let office = AccountID(1)

    private static var policy: PhonePolicy {
        var policy = Sample.policy
        policy.alarms = [
            "tamper": AlarmPolicy(
                SpeedDial(["5550101", "5550102"]), wait: .seconds(60), pause: .seconds(300)),
            "door": AlarmPolicy(SpeedDial(["5550103"]), wait: .seconds(60), pause: .seconds(300)),
        ]
        return policy
    }

    private static func idle(_ policy: PhonePolicy = policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        bench.forget()
        return bench
    }

    private static func input(_ bench: inout Bench, _ name: String = "tamper", _ active: Bool = true) {
        bench.post(.panel(.input(name, active: active)))
    }

    private static func outcomes(_ bench: Bench, of name: String = "tamper") -> [AlarmOutcome] {
        bench.log.compactMap {
            if case .control(.notice(.alarmRaised(name, let outcome))) = $0 { outcome } else { nil }
        }
    }

    /// The steps from the dialled call to the active one.
    private static func answer(_ bench: inout Bench, _ call: CallID = Sample.dialled) {
        ring(&bench, call)
        bench.line(.answered(call, Sample.plan))
        bench.media(.ready(call))
    }

    private static func ring(_ bench: inout Bench, _ call: CallID = Sample.dialled) {
        bench.media(.opened(call, Sample.endpoint))
        bench.line(.offerSent(call))
    }

    /// A later request sees it, too.
    @Test func snapshotListsInputStates() {
        var bench = Self.idle()
        #expect(bench.machine.snapshot.panel == nil)
        bench.line(.offered(Sample.first, Sample.caller))
        Self.input(&bench)
        Self.input(&bench, "window")
        #expect(bench.machine.snapshot.panel == PanelStates(inputs: ["tamper", "window"], alarms: ["tamper"]))
        Self.input(&bench, "tamper", false)
        #expect(bench.machine.snapshot.panel == PanelStates(inputs: ["window"]))
        for number in 0..<1_000 { Self.input(&bench, "input-\(number)") }
        #expect(bench.machine.snapshot.panel?.inputs.count == 64)
    }

    // MARK: The call

    @Test func inputStartsCallOnSpeaker() {
        var bench = Self.idle()
        Self.input(&bench)
        #expect(bench.summary(Sample.dialled)?.number == "5550101")
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.noticed(.inputChanged("tamper", active: true)))
        #expect(Self.outcomes(bench) == [.called(Sample.dialled)])
        Self.answer(&bench)
        bench.line(.ended(Sample.dialled, .hungUpThere))
        #expect(bench.machine.snapshot.tone == nil && bench.machine.snapshot.calls.isEmpty, "no person has to hang up")
    }

    @Test func dialsNextTargetAfterNoAnswer() {
        var bench = Self.idle()
        Self.input(&bench)
        Self.ring(&bench)
        bench.run(.seconds(30))
        #expect(bench.summary(CallID(.phone, 2))?.number == "5550102")
        #expect(Self.outcomes(bench) == [.called(Sample.dialled)], "one alarm, two calls")
        bench.line(.ended(CallID(.phone, 2), .busyThere))
        bench.run(.seconds(86_400))
        #expect(bench.phase(CallID(.phone, 3)) == nil, "nobody else is called")
    }

    @Test func targetsDependOnTimeOfDay() {
        var policy = Self.policy
        policy.alarms["tamper"]?.dial.hours = [.init([.sunday], from: 0, to: 0, targets: ["5550109"])]
        #expect(policy.asksTheTime && !Self.policy.asksTheTime)
        for (day, number) in [(WeekTime.Day.sunday, "5550109"), (.monday, "5550101")] {
            var bench = Self.idle(policy)
            bench.post(.clock(WeekTime(day, minute: 600)))
            Self.input(&bench)
            #expect(bench.summary(Sample.dialled)?.number == number)
        }
    }

    @Test func liftedHandsetDoesNotPreventAlarmCall() {
        var bench = Self.idle()
        bench.lift()
        bench.type("12")
        Self.input(&bench)
        #expect(bench.summary(Sample.dialled)?.number == "5550101" && bench.machine.snapshot.route == .speaker)
        bench.replace()
        #expect(bench.phase(Sample.dialled) == .ringingOut, "its cradle ends nothing")
    }

    @Test func inputWithoutAlarmIsOnlyReported() {
        var bench = Self.idle()
        Self.input(&bench, "window")
        #expect(bench.noticed(.inputChanged("window", active: true)) && bench.machine.snapshot.calls.isEmpty)
    }

    // MARK: Bounded memory

    @Test func activationCallsOnce() {
        var bench = Self.idle()
        Self.input(&bench)
        bench.line(.ended(Sample.dialled, .hungUpThere))
        for _ in 0..<5 {
            bench.run(.seconds(300))
            Self.input(&bench)
        }
        #expect(Self.outcomes(bench) == [.called(Sample.dialled)], "its level is read again, and is no movement")
    }

    /// A contact that bounces once a second for an hour.
    @Test func looseContactCallsOncePerPause() {
        var bench = Self.idle()
        for second in 0..<3_600 {
            Self.input(&bench, "tamper", second.isMultiple(of: 2))
            for call in bench.machine.snapshot.calls { bench.line(.ended(call.call, .hungUpThere)) }
            bench.run(.seconds(1))
        }
        #expect(bench.records.count == 12)
        #expect(Self.outcomes(bench).count <= 2 * 12, "each call and each wait is reported once")
    }

    @Test func inputActiveAtEndOfPauseCallsThen() {
        var bench = Self.idle()
        Self.input(&bench)
        bench.line(.ended(Sample.dialled, .hungUpThere))
        bench.run(.seconds(100))
        Self.input(&bench, "tamper", false)
        Self.input(&bench)
        #expect(Self.outcomes(bench) == [.called(Sample.dialled), .waiting])
        bench.run(.milliseconds(199_999))
        #expect(bench.machine.snapshot.calls.isEmpty)
        bench.run(.milliseconds(1))
        #expect(bench.summary(CallID(.phone, 2))?.number == "5550101")
    }

    // MARK: Beside other calls

    @Test func alarmWaitsForEndOfCall() {
        var bench = Self.idle()
        bench.offer()
        bench.lift()
        bench.connect()
        Self.input(&bench)
        #expect(bench.phase(Sample.dialled) == nil && bench.phase() == .active)
        #expect(Self.outcomes(bench) == [.waiting])
        bench.run(.seconds(59))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(bench.summary(Sample.dialled)?.number == "5550101")
        #expect(Self.outcomes(bench) == [.waiting, .called(Sample.dialled)])
    }

    @Test func alarmWaitsUntilRingingCallIsSettled() {
        var bench = Self.idle()
        bench.offer()
        Self.input(&bench)
        #expect(bench.phase() == .ringingIn && Self.outcomes(bench) == [.waiting])
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.phase(Sample.dialled) == .ringingOut)
    }

    @Test func contactThatClosesWhileWaitingCallsNobody() {
        var bench = Self.idle()
        bench.offer()
        Self.input(&bench)
        Self.input(&bench, "tamper", false)
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.run(.seconds(3_600))
        #expect(bench.phase(Sample.dialled) == nil)
        #expect(Self.outcomes(bench) == [.waiting])
    }

    @Test func waitIsBounded() {
        var bench = Self.idle()
        bench.offer()
        bench.lift()
        bench.connect()
        Self.input(&bench)
        bench.run(.seconds(60))
        #expect(Self.outcomes(bench) == [.waiting, .givenUp])
        bench.line(.ended(Sample.first, .hungUpThere))
        bench.replace()
        bench.run(.seconds(3_600))
        #expect(bench.phase(Sample.dialled) == nil)
        Self.input(&bench, "tamper", false)
        Self.input(&bench)
        #expect(bench.phase(Sample.dialled) == .ringingOut, "the next activation is another alarm")
    }

    @Test func twoAlarmsCallInTurn() {
        var bench = Self.idle()
        Self.input(&bench)
        Self.input(&bench, "door")
        #expect(Self.outcomes(bench, of: "door") == [.waiting])
        bench.line(.ended(Sample.dialled, .hungUpThere))
        #expect(bench.summary(CallID(.phone, 2))?.number == "5550103")
    }

    // MARK: Lines

    /// An input that is active at start is reported before the line is registered.
    @Test func alarmWaitsForRegistration() {
        var policy = Self.policy
        policy.alarms["tamper"]?.dial.account = Self.office
        var bench = Self.idle(policy)
        Self.input(&bench)
        #expect(Self.outcomes(bench) == [.waiting])
        for state in [RegistrationState.registering, .failed("no"), .disconnected] {
            bench.line(.registration(Self.office, state))
            #expect(bench.machine.snapshot.calls.isEmpty)
        }
        bench.line(.registration(Self.office, .registered))
        #expect(bench.summary(Sample.dialled)?.account == Self.office)
    }

    @Test func alarmWithInvalidTargetGivesUp() {
        var policy = Self.policy
        policy.alarms["tamper"]?.dial.targets = ["nobody!"]
        var bench = Self.idle(policy)
        Self.input(&bench)
        Self.input(&bench, "tamper", false)
        Self.input(&bench)
        #expect(Self.outcomes(bench) == [.givenUp, .waiting], "a loose contact tries once in each pause")
        Self.input(&bench, "tamper", false)
        #expect(bench.machine.snapshot.tone == nil && bench.machine.deadline == nil)
    }

    @Test func stoppingPhoneStartsNoAlarmCall() {
        var bench = Self.idle()
        bench.offer()
        Self.input(&bench)
        bench.post(.shutDown)
        Self.input(&bench, "door")
        bench.run(.seconds(3_600))
        #expect(bench.phase(Sample.dialled) == nil && bench.machine.deadline == nil)
    }

    // MARK: Any input at any time

    /// All sequences of seven events of one alarm beside one call, judged by the invariants.
    @Test func invariantsHoldInSequencesOfSevenEvents() {
        var policy = Self.policy
        policy.alarms["tamper"] = AlarmPolicy(SpeedDial(["5550101"]), wait: .seconds(20), pause: .seconds(40))
        policy.alarms["door"] = nil
        var start = Subject(policy: policy)
        start.post(.panel(.hookFound(.onHook)))
        var explorer = Explorer([
            .event(.panel(.input("tamper", active: true))),
            .event(.panel(.input("tamper", active: false))),
            .event(.line(.offered(Sample.first, Sample.caller))),
            .event(.line(.ended(Sample.first, .hungUpThere))),
            .event(.line(.ended(Sample.dialled, .busyThere))),
            .event(.panel(.hook(.offHook))),
            .event(.panel(.hook(.onHook))),
            .tick,
        ])
        explorer.explore(from: start)
        #expect(explorer.failure == nil)
    }
}
