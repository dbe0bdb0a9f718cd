import JSON
import Telephony
import Testing
import VertoCore

/// Calls that the server does not list after a login.
@Suite struct UnlistedCallTests {
    /// FreeSWITCH crashed, and has its calls again a moment after the login.
    @Test(arguments: [VertoDialect.telnyx, .freeSWITCH]) func callReturnsAfterEmptyList(
        dialect: VertoDialect
    ) throws {
        var line = try Line.ready(dialect)
        let call = try line.talk()
        try line.loseAndReturn(reattached: [])
        line.run(for: .milliseconds(4_900))
        line.server("attach", ["callID": "out", "sdp": "o"])
        #expect(line.told(call) == [.recovering, .attachOffered(sdp: "o")])
        line.post(call, .attachAnswer(sdp: "a"))
        try line.answer("attach")
        line.run(for: .seconds(10))
        #expect(line.told(call).last == .reattached && line.session.callIDs == [call])
    }

    /// Further lists give no more time.
    @Test func waitAfterEmptyListStartsOnce() throws {
        var line = try Line.ready()
        let call = try line.talk()
        try line.loseAndReturn(reattached: [])
        for _ in 0..<4 {
            line.run(for: .seconds(1))
            line.server("clientReady", ["reattached_sessions": []])
        }
        line.run(for: .seconds(1))
        #expect(line.told(call).count == 2 && line.session.callIDs.isEmpty)
    }

    /// Nobody spoke in it yet.
    @Test func unansweredUnlistedCallEndsAtOnce() throws {
        var line = try Line.ready()
        let ringing = try line.ring()
        let calling = try #require(VertoCallID("out"))
        line.post(calling, .invite(VertoInvitation("102", sdp: "offer")))
        try line.answer("invite", ["message": "CALL CREATED", "callID": "out"])
        line.clear()
        try line.loseAndReturn(reattached: [])
        for call in [ringing, calling] { #expect(line.told(call) == [.recovering, .ended(VertoEnd(.lost))]) }
    }
}
