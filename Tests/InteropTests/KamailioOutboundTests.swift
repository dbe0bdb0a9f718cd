import Base
import Bench
import Control
import Glibc
import Rig
import HostStalls
import Testing

/// A house with two doors (RFC 5626) by independent programs. Phones are registered at both, and a call arrives
/// through the remaining one.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: KamailioHouse.isPossible && KamailioProcess.knows("tls") && TestAuthority.isPossible && geteuid() == 0,
        "needs root, kamailio, kamailio-outbound-modules, kamailio-tls-modules and openssl (Scripts/setup test)"))
struct KamailioOutboundTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([KamailioHouse.Transport.tls], others: [.tcp]))
    func callsArriveThroughRemainingDoor(_ transport: KamailioHouse.Transport) throws {
        let house = try KamailioHouse(transport, in: workplace)
        let alice = try house.phone("alice", "101", port: 28_200)
        let bob = try house.phone("bob", "102", port: 28_400)
        for phone in [alice, bob] { try phone.waitUntilReady() }
        try waitUntilBothDoorsKnow(2, house)

        try call(alice, bob)
        try alice.ask("hangup")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "hungUpHere")
        #expect(try bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(house.passed(.first, "INVITE") > 0)

        house.close(.first)
        let before = house.passed(.second, "INVITE")
        try call(alice, bob)
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (bob.mouth, bob.ear, workplace.bob))
            .expectUnderstood()
        try bob.holdAndResume(seenBy: alice)
        try bob.ask("hangup")
        #expect(try alice.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(house.passed(.second, "INVITE") > before)
        // Each call rang once, though two flows led to the phone.
        #expect(bob.all("incomingCall").count == 2)
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(house.finish().allSatisfy { $0 == .status(0) })
    }

    private func call(_ alice: RigPhone, _ bob: RigPhone) throws {
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
    }

    /// Each phone registered at each door: once without and once with the answer to its challenge.
    private func waitUntilBothDoorsKnow(_ phones: Int, _ house: KamailioHouse) throws {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            if KamailioHouse.Door.allCases.allSatisfy({ house.passed($0, "REGISTER") >= 2 * phones }) { return }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw KamailioProcess.Failure(description: "the phones are not registered at both doors")
    }
}
