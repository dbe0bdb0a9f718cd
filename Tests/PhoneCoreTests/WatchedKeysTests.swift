import Base
import PhoneCore
import Testing

/// §13's BLF keys: a lamp that shows the state of a number's phones, and a key that picks up, parks and retrieves.
@Suite("Keys for watched numbers")
struct WatchedKeysTests {
    private static let desk = WatchedNumber("5550166", account: .direct)
    private static let orbit = WatchedNumber("5550700", account: .direct)

    private static func policy(code: String? = nil) -> PhonePolicy {
        var policy = Sample.policy
        policy.speedDials = [
            1: SpeedDial([desk.number], watched: .phone), 2: SpeedDial([orbit.number], watched: .orbit),
            3: SpeedDial(["5550101"]),
        ]
        if let code { policy.pickupCodes = [.direct: code] }
        return policy
    }

    private static func idle(_ policy: PhonePolicy = policy()) -> Bench {
        var bench = Bench(policy: policy)
        bench.network(Sample.home)
        bench.post(.panel(.hookFound(.onHook)))
        return bench
    }

    @Test(arguments: [
        (WatchedState.unknown, LampPattern.off, LampPattern.off), (.idle, .off, .off),
        (.ringing, .fastBlink, .fastBlink),
        (.busy, .on, .flutter), (.held, .slowBlink, .flutter),
    ])
    func lampShowsStateOfNumber(_ state: WatchedState, _ phone: LampPattern, _ orbit: LampPattern) {
        var bench = Self.idle()
        bench.line(.watched(Self.desk, .busy))
        bench.line(.watched(Self.desk, state))
        bench.line(.watched(Self.orbit, state))
        #expect(bench.lamp(.speedDial(1)) == phone && bench.lamp(.speedDial(2)) == orbit)
        #expect(bench.lamp(.speedDial(3)) == .off)
    }

    @Test func unwatchedNumberIsNotShown() {
        var bench = Self.idle()
        bench.line(.watched(WatchedNumber("5550101", account: .direct), .busy))
        bench.line(.watched(WatchedNumber(Self.desk.number, account: AccountID(7)), .busy))
        #expect(bench.lamp(.speedDial(3)) == .off && bench.lamp(.speedDial(1)) == .off)
    }

    @Test func keyOfIdlePhoneDials() {
        var bench = Self.idle()
        bench.line(.watched(Self.desk, .idle))
        bench.press(.speedDial(1))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.dial(Sample.dialled, target: "5550166", account: .direct, Sample.endpoint)))
    }

    @Test func keyOfRingingPhonePicksUp() {
        var bench = Self.idle()
        bench.line(.watched(Self.desk, .ringing))
        bench.press(.speedDial(1))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.pickUp(Sample.dialled, Self.desk, Sample.endpoint)))
        bench.line(.offerSent(Sample.dialled))
        bench.connect(Sample.dialled)
        #expect(bench.phase(Sample.dialled) == .active)
    }

    @Test func keyOfRingingPhoneDialsPickupCode() {
        var bench = Self.idle(Self.policy(code: "*8"))
        bench.line(.watched(Self.desk, .ringing))
        bench.press(.speedDial(1))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.dial(Sample.dialled, target: "*85550166", account: .direct, Sample.endpoint)))
    }

    @Test func requestPicksUp() {
        var bench = Self.idle()
        #expect(bench.ask(.pickUp(Self.desk.number, account: nil)) == .failed(.noSuchCall))
        bench.line(.watched(Self.desk, .ringing))
        #expect(bench.ask(.pickUp(Self.desk.number, account: nil)) == nil)
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.pickUp(Sample.dialled, Self.desk, Sample.endpoint)))
    }

    @Test(arguments: [WatchedState.idle, .unknown]) func keyOfEmptyOrbitDialsWithoutCall(_ state: WatchedState) {
        var bench = Self.idle()
        bench.line(.watched(Self.orbit, state))
        bench.press(.speedDial(2))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.dial(Sample.dialled, target: "5550700", account: .direct, Sample.endpoint)))
    }

    @Test func keyParksCallInEmptyOrbit() {
        var bench = Self.idle()
        bench.offer()
        bench.lift()
        bench.connect()
        bench.line(.watched(Self.orbit, .idle))
        bench.press(.speedDial(2))
        #expect(bench.did(.transfer(Sample.first, to: Self.orbit.number)))
    }

    @Test func keyRetrievesCallFromFullOrbit() {
        var bench = Self.idle()
        bench.line(.watched(Self.orbit, .busy))
        #expect(bench.lamp(.speedDial(2)) == .flutter)
        bench.press(.speedDial(2))
        bench.media(.opened(Sample.dialled, Sample.endpoint))
        #expect(bench.did(.dial(Sample.dialled, target: Self.orbit.number, account: .direct, Sample.endpoint)))
    }
}
