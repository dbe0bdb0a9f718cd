import PhoneCore
import Testing

/// A policy that the machine accepts: a recording may come from anyone.
@Suite("Limits of a policy")
struct PolicyTests {
    private static func isSound(_ edit: (inout PhonePolicy) -> Void) -> Bool {
        var policy = PhonePolicy()
        edit(&policy)
        return policy.isSound
    }

    @Test func usualPolicyIsValid() {
        #expect(PhonePolicy().isSound)
        #expect(Self.isSound { $0.flash = nil })
        #expect(Self.isSound { ($0.maximumCalls, $0.lineKeys) = (8, (1...8).map { AccountID($0) }) })
        #expect(Self.isSound { $0.maximumCalls = 1 })
    }

    @Test func everyTimeIsPositiveAndAtMostOneYear() {
        let times: [WritableKeyPath<PhonePolicy, Duration>] = [
            \.startTime, \.endTime, \.answerTime, \.ringingInTime, \.networkTime, \.digitTime, \.howlerTime,
        ]
        for time in times {
            #expect(!Self.isSound { $0[keyPath: time] = .zero })
            #expect(!Self.isSound { $0[keyPath: time] = .seconds(-1) })
            #expect(Self.isSound { $0[keyPath: time] = .seconds(366 * 86_400) })
            #expect(!Self.isSound { $0[keyPath: time] = .seconds(366 * 86_400 + 1) })
        }
    }

    @Test func limitsAreInRange() {
        #expect(!Self.isSound { $0.maximumCalls = 0 })
        #expect(!Self.isSound { $0.maximumCalls = 9 })
        #expect(!Self.isSound { $0.lineKeys = (1...9).map { AccountID($0) } })
        #expect(!Self.isSound { $0.silenceTime = $0.silenceReportedAfter })
        #expect(!Self.isSound { $0.switchTime = $0.switchAnswerTime })
        #expect(!Self.isSound { $0.flash = FlashTimes(longest: .milliseconds(100)) })
        #expect(!Self.isSound { $0.relays[1] = RelayPolicy(pulse: .seconds(367 * 86_400)) })
        #expect(!Self.isSound { $0.maximumCallTime = .zero })
        #expect(
            Self.isSound { ($0.speedDials, $0.organisationKeys) = ([1: SpeedDial(["1"])], [2: OrganisationID("a")]) })
        #expect(
            !Self.isSound { ($0.speedDials, $0.organisationKeys) = ([1: SpeedDial(["1"])], [1: OrganisationID("a")]) })
        #expect(!Self.isSound { $0.soundTest = SoundTestPolicy(route: .handset) })
        #expect(!Self.isSound { $0.alarms["door"] = AlarmPolicy(SpeedDial(["1"]), pause: .seconds(367 * 86_400)) })
        #expect(!Self.isSound { $0.alarms["door"] = AlarmPolicy(SpeedDial(["1"]), wait: .seconds(367 * 86_400)) })
    }

    @Test func hoursAreMinutesOfDayWithTargets() {
        func isSound(_ edit: (inout SpeedDial.Hours) -> Void) -> Bool {
            var hours = SpeedDial.Hours([.monday], from: 0, to: 1_439, targets: ["100"])
            edit(&hours)
            return Self.isSound {
                $0.speedDials = [1: SpeedDial(["200"])]
                $0.speedDials[1]?.hours = [hours]
            }
        }
        #expect(isSound { _ in })
        #expect(!isSound { $0.targets = [] })
        #expect(!isSound { $0.start = -1 })
        #expect(!isSound { $0.start = 1_440 })
        #expect(!isSound { $0.end = 1_440 })
    }
}
