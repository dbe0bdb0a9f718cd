import Base
import PhoneCore
import Testing

/// The named keys of §13, and the dial plan at the panel.
@Suite("Keys by name")
struct KeysTests {
    private static let office = AccountID(1)

    private static var policy: PhonePolicy {
        var policy = Sample.policy
        policy.lineKeys = [.direct, office]
        policy.speedDials = [1: SpeedDial(["5550101", "5550102"], account: office)]
        policy.voicemail = [.direct: "5550109"]
        return policy
    }

    private static func idle(_ policy: PhonePolicy = policy) -> Bench {
        var bench = Bench(policy: policy)
        bench.line(.registration(office, .registered))
        bench.post(.panel(.hookFound(.onHook)))
        bench.forget()
        return bench
    }

    // MARK: Dialling

    @Test func otherLineKeyDoesNotDisturbRingingCall() {
        var bench = Self.idle()
        bench.dial()
        bench.press(.line(2))
        #expect(bench.machine.snapshot.tone == .ringback && bench.phase(Sample.dialled) == .ringingOut)
        bench.type("1")
        #expect(bench.machine.snapshot.digits.isEmpty)
    }

    @Test func numberKnownToPlanIsDialledAtOnce() {
        var policy = Sample.policy
        policy.dialPlan = .us
        var bench = Self.idle(policy)
        bench.lift()
        bench.type("2125550100")
        #expect(bench.summary(Sample.dialled)?.number == "2125550100")
    }

    @Test func emergencyNumberIsDialledAtOnceInEveryPlan() {
        for (_, plan) in DialPlan.presets {
            var policy = Sample.policy
            policy.dialPlan = plan
            for number in plan.emergency {
                var bench = Self.idle(policy)
                bench.lift()
                bench.type(number)
                #expect(bench.summary(Sample.dialled)?.number == number)
                #expect(bench.ask(.dial(number, account: nil)) == .failed(.alreadyUnderWay), "valid at any length")
            }
        }
    }

    @Test func unknownNumberWaitsForSilence() {
        var policy = Sample.policy
        policy.dialPlan = .office
        var bench = Self.idle(policy)
        bench.lift()
        bench.type("12")
        bench.run(.milliseconds(3_999))
        #expect(bench.phase(Sample.dialled) == nil)
        bench.type("3")
        #expect(bench.summary(Sample.dialled)?.number == "123")
    }

    @Test func speedDialOpensTheSpeaker() {
        var bench = Self.idle()
        bench.press(.speedDial(1))
        #expect(bench.machine.snapshot.route == .speaker)
        #expect(bench.summary(Sample.dialled)?.number == "5550101")
        #expect(bench.summary(Sample.dialled)?.account == Self.office)
    }

    @Test func unansweredSpeedDialCallsNextTarget() {
        var bench = Self.idle()
        bench.press(.speedDial(1))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        bench.run(.seconds(30))
        let next = CallID(.phone, 2)
        #expect(bench.summary(next)?.number == "5550102")
        #expect(bench.summary(next)?.account == Self.office)
        bench.line(.ended(next, .busyThere))
        #expect(bench.machine.snapshot.tone == .busy, "that was the last one")
        #expect(bench.phase(CallID(.phone, 3)) == nil)
    }

    @Test(arguments: [
        (WeekTime(.friday, minute: 0), ["5550190"]), (WeekTime(.friday, minute: 539), ["5550190"]),
        (WeekTime(.friday, minute: 540), ["5550191", "5550192"]),
        (WeekTime(.friday, minute: 1_019), ["5550191", "5550192"]),
        (WeekTime(.friday, minute: 1_020), ["5550193"]), (WeekTime(.saturday, minute: 59), ["5550193"]),
        (WeekTime(.saturday, minute: 60), ["5550190"]), (WeekTime(.sunday, minute: 1_100), ["5550190"]),
        (WeekTime(.monday, minute: 30), ["5550190"]), (WeekTime(.monday, minute: 600), ["5550191", "5550192"]),
    ])
    func speedDialTargetsDependOnHour(time: WeekTime, targets: [String]) {
        var policy = Self.policy
        policy.speedDials[1]?.targets = ["5550190"]
        let week: Set<WeekTime.Day> = [.monday, .tuesday, .wednesday, .thursday, .friday]
        policy.speedDials[1]?.hours = [
            .init(week, from: 540, to: 1_020, targets: ["5550191", "5550192"]),
            .init([.friday], from: 1_020, to: 60, targets: ["5550193"]),
        ]
        var bench = Self.idle(policy)
        bench.post(.clock(time))
        bench.press(.speedDial(1))
        var asked: [String] = []
        for number in 1...3 {
            let call = CallID(.phone, UInt32(number))
            guard let summary = bench.summary(call), summary.phase != .ended else { break }
            asked.append(summary.number)
            bench.media(.opened(call, Sample.endpoint))
            bench.line(.offerSent(call))
            bench.line(.ended(call, .noAnswer))
        }
        #expect(asked == targets)
    }

    @Test func wholeDayHoursNeedNoClock() {
        var policy = Self.policy
        policy.speedDials[1]?.hours = [.init([.sunday], from: 480, to: 480, targets: ["5550194"])]
        for (time, target) in [
            (WeekTime(.sunday, minute: 479), "5550101"), (WeekTime(.sunday, minute: 480), "5550194"),
            (WeekTime(.monday, minute: 479), "5550194"), (WeekTime(.monday, minute: 480), "5550101"),
            (nil, "5550101"),
        ] {
            var bench = Self.idle(policy)
            if let time { bench.post(.clock(time)) }
            bench.press(.speedDial(1))
            #expect(bench.summary(Sample.dialled)?.number == target)
        }
    }

    @Test func invalidNextTargetEndsSpeedDial() {
        var policy = Self.policy
        policy.speedDials = [1: SpeedDial(["5550101", "nobody!"])]
        var bench = Self.idle(policy)
        bench.press(.speedDial(1))
        bench.line(.ended(Sample.dialled, .unreachable))
        #expect(bench.phase(CallID(.phone, 2)) == nil)
        #expect(bench.machine.snapshot.tone == .congestion, "the end is heard")
    }

    @Test func hangUpEndsSpeedDial() {
        var bench = Self.idle()
        bench.press(.speedDial(1))
        bench.press(.speaker)
        #expect(bench.phase(CallID(.phone, 2)) == nil)
    }

    @Test func speedDialDuringCallHoldsIt() {
        var bench = Self.idle()
        bench.talk()
        bench.press(.speedDial(1))
        #expect(bench.did(.hold(Sample.first, true)))
        #expect(bench.summary(Sample.dialled)?.number == "5550101")
    }

    @Test func voicemailKeyDialsLineNumber() {
        var bench = Self.idle()
        bench.press(.voicemail)
        #expect(bench.summary(Sample.dialled)?.number == "5550109")
        var other = Self.idle()
        other.press(.line(2))
        other.press(.voicemail)
        #expect(other.machine.snapshot.calls.isEmpty, "that line has none")
    }

    @Test func waitingMessagesStutterDialToneAndLightLamp() {
        var bench = Self.idle()
        bench.line(.messagesWaiting(.direct, 1))
        #expect(bench.lamp(.message) == .on)
        #expect(bench.machine.snapshot.messagesWaiting == 1)
        bench.lift()
        #expect(bench.machine.snapshot.tone == .stutterDial)
        bench.line(.messagesWaiting(.direct, 0))
        #expect(bench.machine.snapshot.tone == .dial)
        #expect(bench.lamp(.message) == .off)
        #expect(bench.noticed(.messagesWaiting(.direct, 1)))
    }

    @Test func messagesOfSixtyFourAccountsAreCounted() {
        var bench = Self.idle()
        for account in Int64(0)..<64 { bench.line(.messagesWaiting(AccountID(account), 1)) }
        #expect(bench.machine.snapshot.messagesWaiting == 64)
        bench.line(.messagesWaiting(AccountID(200), 1))
        #expect(bench.machine.snapshot.messagesWaiting == 64)
        bench.line(.messagesWaiting(AccountID(0), 3))
        #expect(bench.machine.snapshot.messagesWaiting == 66, "its lookup may change")
        #expect(bench.machine.snapshot.messages?[AccountID(0)] == 3)
    }

    // MARK: Line keys

    @Test func lineKeyDialsWithItsAccount() {
        var bench = Self.idle()
        bench.press(.line(2))
        #expect(bench.machine.snapshot.tone == .dial)
        #expect(bench.machine.snapshot.route == .speaker)
        bench.type("5550101#")
        #expect(bench.summary(Sample.dialled)?.account == Self.office)
        #expect(bench.lamp(.account(2)) == .on)
        #expect(bench.lamp(.account(1)) == .off)
    }

    @Test func lineKeyAnswersAndResumesItsCall() {
        var bench = Self.idle()
        bench.line(.offered(Sample.first, Sample.caller))
        bench.media(.opened(Sample.first, Sample.endpoint))
        #expect(bench.lamp(.account(1)) == .fastBlink)
        bench.press(.line(2))
        #expect(bench.machine.snapshot.tone == .callWaiting, "the other line is open, and this one knocks")
        bench.press(.line(1))
        bench.connect()
        #expect(bench.phase() == .active)
        bench.holdFirst()
        #expect(bench.lamp(.account(1)) == .slowBlink)
        bench.press(.line(1))
        #expect(bench.did(.hold(Sample.first, false)))
    }

    @Test func endedCallLightsNoLineKey() {
        var bench = Self.idle()
        bench.offer()
        bench.press(.line(1))
        bench.connect()
        bench.holdFirst()
        bench.press(.line(2))
        bench.type("5550101#")
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        bench.line(.offerSent(Sample.dialled))
        #expect(bench.lamp(.account(2)) == .on)
        bench.ask(.hangUp(Sample.dialled))
        #expect(bench.phase(Sample.dialled) == .disconnecting)
        #expect(bench.lamp(.account(1)) == .slowBlink && bench.lamp(.account(2)) == .off)
    }

    // MARK: Registrations

    @Test func lampOfUnreachableIdleLineBlinks() {
        var bench = Self.idle()
        bench.line(.registration(Self.office, .failed("no answer")))
        #expect(bench.lamp(.account(2)) == .slowBlink)
        #expect(bench.lamp(.account(1)) == .off && bench.lamp(.line) == .off, "the others can be reached")
        bench.line(.offered(Sample.first, Sample.caller))
        bench.media(.opened(Sample.first, Sample.endpoint))
        #expect(bench.lamp(.account(1)) == .fastBlink && bench.lamp(.account(2)) == .slowBlink)
        bench.line(.registration(Self.office, .registering))
        #expect(bench.lamp(.account(2)) == .off)
        bench.line(.registration(Self.office, .failed("no answer")))
        bench.line(.registration(Self.office, .registered))
        #expect(bench.lamp(.account(2)) == .off)
    }

    @Test func accountWithoutLineKeyUsesLineLamp() {
        var bench = Bench()
        bench.line(.registration(.direct, .failed("no socket")))
        #expect(bench.lamp(.line) == .slowBlink)
        bench.offer()
        #expect(bench.lamp(.line) == .off, "it rings, so a call uses it")
        bench.lift()
        #expect(bench.lamp(.line) == .on)
        bench.connect()
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(bench.lamp(.line) == .slowBlink)
        bench.line(.registration(.direct, .notNeeded))
        #expect(bench.lamp(.line) == .off)
    }

    @Test func keyWithoutLineDoesNothing() {
        var bench = Self.idle()
        for number in [0, 3, 8, 200] as [UInt8] { bench.press(.line(number)) }
        #expect(bench.machine.snapshot.tone == nil)
    }

    // MARK: Volume

    @Test func volumeKeysChangeRingVolumeWhileRinging() {
        var bench = Self.idle()
        bench.offer()
        bench.press(.volumeUp)
        #expect(bench.did(.volume(.ring, 8)))
        bench.lift()
        bench.press(.volumeDown)
        #expect(bench.did(.volume(.call, 6)))
        #expect(bench.noticed(.volumeChanged(.call, 6)))
        #expect(bench.machine.snapshot.settings.ringVolume == 8)
    }

    @Test func volumeStopsAtLimits() {
        var bench = Self.idle()
        for _ in 0..<20 { bench.press(.volumeUp) }
        #expect(bench.machine.snapshot.settings.callVolume == 10)
        for _ in 0..<20 { bench.press(.volumeDown) }
        #expect(bench.machine.snapshot.settings.callVolume == 0)
        #expect(bench.ask(.volume(.ring, 99)) == .fulfilled)
        #expect(bench.machine.snapshot.settings.ringVolume == PhoneSettings.loudest)
    }

    @Test func keyNamesAreUnique() {
        for (name, key) in Key.names {
            #expect(Key(name: name) == key)
            #expect(key.name == name)
        }
        #expect(Set(Key.names.map(\.name)).count == Key.names.count)
        for lamp in Lamp.allCases { #expect(Lamp(rawValue: lamp.rawValue) == lamp) }
    }
}
