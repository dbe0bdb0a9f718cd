import Base
import PhoneCore
import Testing

/// A key of the panel changes the organisation, as a program's request does.
@Suite("Keys of organisations")
struct OrganisationKeysTests {
    private static let key = Key.speedDial(3)
    private static let target = OrganisationID("b")
    private static let before = Sample.context("a")
    private static let after = Sample.context("b")

    private static var policy: PhonePolicy {
        var policy = Sample.policy
        policy.speedDials = [1: SpeedDial(["5550101"])]
        policy.organisationKeys = [2: before.organisation.id, 3: target]
        return policy
    }

    /// - Parameter isSignedIn: Whether the phone works for an organisation.
    private static func idle(isSignedIn: Bool = true) -> Bench {
        var bench = Bench(policy: policy)
        var memory = PhoneMemory()
        memory.context = isSignedIn ? before : nil
        bench.post(.vault(.remembered(memory)))
        bench.network(Sample.home)
        bench.line(.registration(.direct, .registered))
        bench.post(.panel(.hookFound(.onHook)))
        bench.forget()
        return bench
    }

    private static func refusal(_ words: String) -> Notice {
        .trouble("the key did not switch to organization b: \(words)", .switchRefused)
    }

    private static func refusals(_ bench: Bench) -> Int {
        bench.log.count { if case .control(.notice(.trouble(_, .switchRefused))) = $0 { true } else { false } }
    }

    @Test func keySwitchesAndLampShowsIt() {
        var bench = Self.idle()
        #expect(bench.lamp(.speedDial(2)) == .on && bench.lamp(.speedDial(3)) == .off)
        bench.press(Self.key)
        #expect(bench.did(.backend(.switchOrganisation(Self.target))))
        #expect(bench.noticed(.organisationSwitching(Self.target)))
        #expect(bench.lamp(.speedDial(2)) == .off && bench.lamp(.speedDial(3)) == .fastBlink)
        bench.post(.backend(.switched(Self.after)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.line(.registration(.direct, .registered))
        #expect(bench.noticed(.organisationSwitched(Self.after.organisation)))
        #expect(bench.machine.snapshot.organisation == Self.after.organisation)
        #expect(bench.lamp(.speedDial(2)) == .off && bench.lamp(.speedDial(3)) == .on)
        #expect(Self.refusals(bench) == 0 && bench.machine.snapshot.calls.isEmpty)
    }

    @Test func keyOfPresentOrganisationDoesNothing() {
        var bench = Self.idle()
        bench.press(.speedDial(2))
        #expect(bench.machine.snapshot.switchingTo == nil && Self.refusals(bench) == 0)
        #expect(bench.lamp(.speedDial(2)) == .on)
    }

    @Test func lateBackendLeavesFormerOrganisation() {
        var bench = Self.idle()
        bench.press(Self.key)
        bench.run(.milliseconds(3_999))
        #expect(bench.machine.snapshot.switchingTo == Self.target)
        bench.run(.milliseconds(1))
        #expect(bench.noticed(.organisationSwitchFailed(.timeout)), "everybody sees this notice")
        #expect(bench.machine.snapshot.organisation == Self.before.organisation)
        #expect(bench.lamp(.speedDial(2)) == .on && bench.lamp(.speedDial(3)) == .off)
        bench.press(Self.key)
        #expect(bench.machine.snapshot.switchingTo == Self.target, "it can be tried again")
    }

    // MARK: Refusals, which are those of the request

    @Test func keyIsRefusedDuringCall() {
        var bench = Self.idle()
        bench.offer()
        bench.press(Self.key)
        #expect(bench.noticed(Self.refusal("not during a call")) && bench.phase(Sample.first) == .ringingIn)
        bench.lift()
        bench.connect()
        bench.forget()
        bench.press(Self.key)
        #expect(bench.noticed(Self.refusal("not during a call")) && bench.phase(Sample.first) == .active)
        #expect(bench.machine.snapshot.switchingTo == nil)
    }

    @Test func secondPressIsRefused() {
        var bench = Self.idle()
        bench.press(Self.key)
        bench.press(Self.key)
        #expect(bench.noticed(Self.refusal("another switch is in progress")) && Self.refusals(bench) == 1)
        #expect(bench.machine.snapshot.switchingTo == Self.target)
    }

    @Test func keyOfPhoneWithoutSignInIsRefused() {
        var bench = Self.idle(isSignedIn: false)
        #expect(bench.lamp(.speedDial(2)) == .off)
        bench.press(Self.key)
        #expect(bench.noticed(Self.refusal("nobody has signed this phone in")))
    }

    @Test func otherKeysDoNotSwitch() {
        var bench = Self.idle()
        bench.press(.speedDial(4))
        #expect(bench.machine.snapshot.switchingTo == nil && bench.machine.snapshot.calls.isEmpty)
        bench.press(.speedDial(1))
        #expect(bench.machine.snapshot.switchingTo == nil && bench.machine.snapshot.calls.count == 1)
    }
}
