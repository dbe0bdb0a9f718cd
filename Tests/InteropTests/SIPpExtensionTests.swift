import Base
import Bench
import Rig
import HostStalls
import Testing

/// SIP extensions played by SIPp: reliable ringing, UPDATE, session timers.
@Suite(.serialized, .stallsForgiven, .enabled(if: SIPp.isInstalled, "needs sip-tester (Scripts/setup test)"))
struct SIPpExtensionTests {
    private let scene: SIPpScene

    init() throws { scene = try SIPpScene() }

    @Test(.limit(minutesEachTime: 1)) func ringingIsAcknowledged() throws {
        let sipp = try scene.play(Scenario.reliableRinging)
        try scene.dial()
        #expect(scene.phone.all("callRinging").count == 1)
        try scene.hangUp(on: sipp)
    }

    @Test(.limit(minutesEachTime: 1)) func phoneRingsReliablyWhenRequired() throws {
        let sipp = try scene.play(Scenario.reliablyRung)
        try scene.answer()
        try scene.expectEnd("hungUpThere")
        try sipp.finish()
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func updateHoldsAndResumes() throws {
        try scene.beHeldAndResumed(by: .updates)
    }

    @Test(.limit(minutesEachTime: 1)) func tooShortSessionIsRefused() throws {
        try scene.play(Scenario.tooShortASession).finish()
        #expect(try scene.phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)
        try scene.finish()
    }

    @Test(.limit(minutesEachTime: 1)) func sippRefreshesSession() throws {
        let sipp = try scene.play(Scenario.callerRefreshes)
        try scene.answer()
        MonotonicTime.sleep(.seconds(3))
        try scene.hangUp(on: sipp)
    }

    /// The shortest permitted session is refreshed at half its time, by the called and the calling phone; both run at
    /// the same time to save it.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func phoneRefreshesSession() throws {
        let other = try SIPpScene(sharing: scene.workplace, name: "other", port: 29_360, server: 29_082)
        let patience = ["-timeout", "75s"]
        let (called, calling) = (
            try scene.play(Scenario.calleeRefreshes, patience),
            try other.play(Scenario.phoneRefreshes, patience)
        )
        try scene.answer()
        try other.phone.ask("dial", ["target": "102"])
        try other.phone.wait(for: "callAnswered")
        try called.waitUntil(received: "UPDATE sip:", upTo: .seconds(50))
        try calling.waitUntil(received: "INVITE sip:", times: 2, upTo: .seconds(10))
        for side in [scene, other] { try side.hangUp() }
        try called.finish()
        try calling.finish()
        try other.finish()
        try scene.finish()
    }
}
