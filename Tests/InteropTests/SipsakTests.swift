import Base
import Bench
import Control
import Rig
import HostStalls
import Testing

/// The phone seen by an independent monitor.
@Suite(.serialized, .stallsForgiven, .enabled(if: Tool.isInstalled("sipsak"), "needs sipsak (Scripts/setup test)"))
struct SipsakTests {
    private let scene: SIPpScene

    /// The phone treats every sender at the server's port as that server.
    init() throws { scene = try SIPpScene() }

    private func sipsak(_ words: String...) throws -> Tool.Findings {
        try Tool(
            ["sipsak"] + words + ["-S", "-l", "\(SIPp.port)", "-s", "sip:101@127.0.0.1:29060"],
            in: scene.workplace.path + "/sipsak"
        )
        .findings()
    }

    @Test(.limit(minutesEachTime: 1)) func pingIsAnswered() throws {
        let ping = try sipsak("-vv")
        #expect(ping.exit == .status(0), "\(ping)")
        #expect(ping.output.contains("200 OK") && ping.output.contains("Allow: INVITE, ACK, CANCEL, BYE"), "\(ping)")
        try scene.finish()
    }

    /// The phone is the last hop, however few hops are left.
    @Test(.limit(minutesEachTime: 1)) func traceEndsAtPhone() throws {
        let trace = try sipsak("-T", "-v")
        #expect(trace.exit == .status(0) && trace.output.contains("200 OK"), "\(trace)")
        try scene.finish()
    }

    /// Ten thousand requests at full speed from the phone's own server; afterwards every peer is served again.
    @Test(.limit(minutesEachTime: 1)) func floodLeavesRoom() throws {
        let flood = try sipsak("-F", "-e", "10000")
        #expect(flood.exit == .status(0), "\(flood)")
        let ping = try sipsak("-vv")
        #expect(ping.exit == .status(0) && ping.output.contains("200 OK"), "\(ping)")
        let sipp = try scene.play(Scenario.callToSIPp)
        try scene.dial()
        try scene.hangUp()
        try sipp.finish()
        try scene.finish()
    }

    /// Requests with invalid characters: whatever the phone answers, it is correct afterwards.
    @Test(.limit(minutesEachTime: 1)) func damagedRequestsChangeNothing() throws {
        for count in [5, 20, 60, 120] { _ = try sipsak("-R", "-t", "\(count)", "-D", "2", "-Z", "20") }
        let ping = try sipsak("-vv")
        #expect(ping.exit == .status(0) && ping.output.contains("200 OK"), "\(ping)")
        #expect(try scene.phone.ask("getSnapshot")["calls"]?.array?.isEmpty == true)
        try scene.finish()
    }
}
