import Base
import Bench
import Control
import Rig
import HostStalls
import Testing

/// Two phones of one person: both ring, one answers.
@Suite(.serialized, .stallsForgiven, .enabled(if: Kamailio.isInstalled, "needs kamailio (Scripts/setup test)"))
struct KamailioForkingTests {
    private let workplace: Workplace
    private let server: Kamailio
    /// Alice is 101; 102 is Bob, who has a desk and a kitchen.
    private let alice: RigPhone
    private let desk: RigPhone
    private let kitchen: RigPhone

    init() throws {
        workplace = try Workplace()
        server = try Kamailio(folder: workplace.path + "/kamailio", algorithm: "SHA-256")
        alice = try Kamailio.phone("alice", "101", "udp", port: 28_200, in: workplace.place)
        // A declined call is busy at that phone only, and may still be answered at the other.
        desk = try Kamailio.phone("desk", "102", "udp", port: 28_400, in: workplace.place) {
            $0.more = "calls:\n  decline_as: busy\n"
        }
        kitchen = try Kamailio.phone("kitchen", "102", "tcp", port: 28_600, in: workplace.place)
        for phone in [alice, desk, kitchen] { try phone.waitUntilReady() }
    }

    private func callBob() throws {
        try alice.ask("dial", ["target": "102"])
        try desk.wait(for: "incomingCall")
        try kitchen.wait(for: "incomingCall")
    }

    private func expectVoice(at phone: RigPhone) throws {
        try alice.wait(for: "callAnswered")
        Conversation(first: (alice.mouth, alice.ear, workplace.alice), second: (phone.mouth, phone.ear, workplace.bob))
            .expectUnderstood()
        try alice.ask("hangup")
        #expect(try phone.wait(for: "callEnded").fields["reason"] == "hungUpThere")
    }

    private func finish() {
        for phone in [alice, desk, kitchen] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(server.stop() == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func callAnsweredElsewhereIsNotMissed() throws {
        try callBob()
        try kitchen.ask("answer")
        try desk.wait(for: "answeredElsewhere")
        #expect(try desk.wait(for: "callEnded").fields["reason"] == "answeredElsewhere")
        try expectVoice(at: kitchen)
        try desk.collect()
        #expect(desk.all("missedCall").isEmpty)
        let snapshot = try desk.ask("getSnapshot")
        #expect(snapshot["missed"]?.array?.isEmpty == true && snapshot["calls"]?.array?.isEmpty == true)
        finish()
    }

    @Test(.limit(minutesEachTime: 1)) func declineAtOnePhoneLeavesOtherRinging() throws {
        try callBob()
        try desk.ask("decline")
        try desk.wait(for: "callEnded")
        try kitchen.ask("answer")
        try expectVoice(at: kitchen)
        finish()
    }

    @Test(.limit(minutesEachTime: 1)) func cancelledCallIsMissedAtBothPhones() throws {
        try callBob()
        try alice.ask("hangup")
        for phone in [desk, kitchen] {
            #expect(try phone.wait(for: "missedCall").fields["reason"] == "remoteHungUp")
        }
        finish()
    }
}
