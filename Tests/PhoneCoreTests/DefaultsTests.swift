import Base
import PhoneCore
import Testing

/// The specification's default times.
@Suite("Default times")
struct DefaultsTests {
    @Test func matchSpecification() {
        let times: [(KeyPath<PhonePolicy, Duration>, Duration)] = [
            (\.connectTime, .seconds(5)), (\.congestionTime, .seconds(20)), (\.howlerTime, .seconds(30)),
            (\.offHookTime, .seconds(30)), (\.digitTime, .seconds(4)), (\.ringingInTime, .seconds(30)),
            (\.ringingOutTime, .seconds(180)), (\.networkTime, .seconds(30)), (\.networkBlipTime, .milliseconds(500)),
            (\.reconnectTime, .seconds(60)), (\.infoAge, .seconds(30)), (\.offerTime, .seconds(5)),
            (\.memoryTime, .seconds(10)), (\.interruptionTime, .seconds(30)), (\.handsFreeToneTime, .seconds(5)),
        ]
        for (time, value) in times { #expect(PhonePolicy()[keyPath: time] == value, "\(time)") }
    }

    @Test func bellRingsOneSecondInFive() {
        #expect(PhonePolicy().ringCadence == RingCadence([.seconds(1), .seconds(4)]))
    }
}
