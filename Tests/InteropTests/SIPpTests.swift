import Base
import Bench
import Control
import Rig
import HostStalls
import Testing

/// Calls with SIPp: built-in scenarios and the project's own.
@Suite(.serialized, .stallsForgiven, .enabled(if: SIPp.isInstalled, "needs sip-tester (Scripts/setup test)"))
struct SIPpTests {
    let scene: SIPpScene

    init() throws { scene = try SIPpScene() }

    // MARK: Calls

    @Test(.limit(minutesEachTime: 1), arguments: Matrix.cases([SIPp.Voice.opus], others: [.asItIs]))
    func builtInCallerCalls(voice: SIPp.Voice) throws {
        let sipp = try scene.play(try SIPp.builtIn("uac", in: scene.workplace.path, voice), ["-d", "8500"])
        try scene.answer()
        scene.hearOneself()
        try scene.expectEnd("hungUpThere")
        try sipp.finish()
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1), arguments: Matrix.cases([SIPp.Voice.asItIs], others: [.opus]))
    func builtInCalleeIsCalled(voice: SIPp.Voice) throws {
        let sipp = try scene.play(try SIPp.builtIn("uas", in: scene.workplace.path, voice))
        try scene.dial()
        try scene.phone.wait(for: "firstVoice")
        scene.hearOneself()
        try scene.hangUp(on: sipp)
    }

    @Test(.limit(minutesEachTime: 1)) func callWithoutCommonCodecIsRefused() throws {
        let path = scene.workplace.path
        let caller = try scene.play(try SIPp.builtIn("uac", in: path, .gsm))
        #expect(throws: SIPp.Failure.self) { try caller.finish() }
        #expect(caller.messages.contains("SIP/2.0 488 ") && caller.messages.contains("ACK sip:"))
        #expect(try scene.phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)

        let callee = try scene.play(try SIPp.builtIn("uas", in: path, .gsm))
        try scene.phone.ask("dial", ["target": "102"])
        #expect(try scene.phone.wait(for: "callFailed").fields["reason"] == "incompatible")
        try callee.finish()
        try scene.finish()
    }

    /// The calls come as quickly as the phone accepts new ones: two a second.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func fiftyCallsArrive() throws {
        let sipp = try scene.play(Scenario.callFromSIPp, ["-m", "50", "-r", "2", "-l", "1", "-timeout", "60s"])
        for _ in 0..<50 {
            try scene.answer()
            try scene.expectEnd("hungUpThere")
        }
        try sipp.finish(upTo: .seconds(60))
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 2)) func fiftyCallsLeave() throws {
        let sipp = try scene.play(Scenario.callToSIPp, ["-m", "50", "-timeout", "60s"])
        for _ in 0..<50 {
            try scene.dial()
            try scene.hangUp()
        }
        try sipp.finish(upTo: .seconds(60))
        try scene.finish()
    }

    // MARK: Offers and answers

    @Test(.limit(minutesEachTime: 1)) func earlyMediaIsHeard() throws {
        let sipp = try scene.play(Scenario.earlyMedia)
        try scene.phone.ask("dial", ["target": "102"])
        try scene.phone.wait(for: "firstVoice")
        #expect(scene.phone.all("callAnswered").isEmpty)
        // The caller is not heard before the answer: the echo starts after it.
        try scene.phone.wait(for: "callAnswered")
        scene.hearOneself()
        try scene.hangUp(on: sipp)
    }

    /// The phone makes an offer when it is called without one, and another one inside the call.
    @Test(.limit(minutesEachTime: 1)) func lateOffersAreAnswered() throws {
        try scene.beHeldAndResumed(by: .lateOffer)
    }

    @Test(.limit(minutesEachTime: 1)) func crossingOffersAreSettled() throws {
        let sipp = try scene.play(Scenario.glare)
        try scene.dial()
        // The prescribed pause may be longer than a key's time-out: the hold still happens.
        do {
            try scene.phone.ask("hold")
        } catch ControlClientError.refused(let code, _, _) {
            #expect(code == "timedOut")
        }
        try scene.phone.wait(for: "callHeld", upTo: .seconds(6))
        try scene.hangUp(on: sipp)
    }

    // MARK: Forks and storms

    @Test(.limit(minutesEachTime: 1)) func secondAnswerIsHungUp() throws {
        let sipp = try scene.play(Scenario.twoAnswers)
        try scene.dial()
        // The second answer gets an automatic BYE; a person who hangs up at once would send another one first.
        try sipp.waitUntil(received: "BYE sip:", times: 1, upTo: .seconds(5))
        try scene.hangUp()
        try sipp.finish()
        #expect(scene.phone.all("callAnswered").count == 1)
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func repeatedRequestsAreAnswered() throws {
        let sipp = try scene.play(Scenario.stormOfRequests, ["-nr"])
        try sipp.waitUntil(received: "SIP/2.0 180", times: 20, upTo: .seconds(5))
        try scene.answer()
        try scene.expectEnd("hungUpThere")
        try sipp.finish()
        try scene.phone.collect()
        #expect(scene.phone.all("incomingCall").count == 1 && scene.phone.all("callEnded").count == 1)
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func repeatedResponsesAreAcknowledged() throws {
        let sipp = try scene.play(Scenario.stormOfResponses, ["-nr"])
        try scene.dial()
        try sipp.waitUntil(received: "ACK sip:", times: 20, upTo: .seconds(5))
        try scene.hangUp()
        try sipp.finish()
        #expect(scene.phone.all("callAnswered").count == 1)
        try scene.finish()
    }

    // MARK: Third-party call control

    /// SIPp's own controller calls two phones, gives each the other's offer and answer, and stays off the media path
    /// (RFC 3725 §4.1).
    @Test(.limit(minutesEachTime: 1)) func thirdPartyControllerConnectsTwoPhones() throws {
        let other = try SIPpScene(sharing: scene.workplace, name: "other", port: 29_360, server: 29_082)
        let sides = try ["3pcc-C-A", "3pcc-C-B"].map {
            try SIPp.builtIn($0, in: scene.workplace.path, .asItIs)
                .replacing("<pause milliseconds=\"1000\"/>", with: "<pause milliseconds=\"9000\"/>")
        }
        let link = ["-3pcc", "127.0.0.1:29083"]
        let second = try other.play(sides[1], link)
        // The first side connects to the second one.
        try SIPp.waitUntilListening(29_083)
        let first = try scene.play(sides[0], link)
        try scene.phone.wait(for: "incomingCall")
        // Whether it is answered is unknown until the other answers too, so lifting does not wait.
        try scene.phone.ask("liftHook")
        try other.answer()
        try scene.phone.wait(for: "callAnswered")
        Conversation(
            first: (scene.phone.mouth, scene.phone.ear, scene.workplace.alice),
            second: (other.phone.mouth, other.phone.ear, scene.workplace.bob)
        ).expectUnderstood()
        for side in [scene, other] { try side.expectEnd("hungUpThere") }
        try first.finish()
        try second.finish()
        try other.finish()
        try scene.finish()
    }
}
