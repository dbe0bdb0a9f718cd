import Base
import JSON
import Testing
import VertoCore

/// Only a gateway that says REGED lets calls through.
@Suite struct GatewayTests {
    /// A line that has asked its gateway once.
    private func asking() throws -> Line {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        try line.answer("login")
        line.server("clientReady", ["reattached_sessions": []])
        return line
    }

    @Test(
        arguments: [
            "UNREGED", "TRYING", "REGISTER", "UNREGISTER", "NOREG", "EXPIRED", "IDLE", "ATTACHED", "what?", "",
        ])
    func gatewayIsAskedAgainAndAbandoned(_ word: String) throws {
        var line = try asking()
        var questions = 0
        while let question = line.take("gatewayState"), questions < 20 {
            questions += 1
            line.receive(["id": question["id"] ?? nil, "result": ["params": ["state": .string(word)]]])
            #expect(line.session.state == .registering)
            line.run(for: .seconds(4))
        }
        #expect(questions == 5)
        let state = VertoGatewayState(rawValue: word) ?? .unknown
        let failure = VertoFailure.gateway(state)
        #expect(line.states.contains(.waiting(failure)))
        #expect(failure.words.contains(state == .unknown ? "does not say" : word))
    }

    @Test(arguments: ["FAILED", "FAIL_WAIT", "DOWN", "TIMEOUT"]) func otherInstanceIsTried(_ word: String) throws {
        var line = try asking()
        line.receive(["id": 1, "method": "telnyx_rtc.event", "params": [:], "voice_sdk_id": "A b/1"])
        line.clear()
        line.server("gatewayState", ["state": .string(word)])
        #expect(line.states.last == .waiting(.gateway(try #require(VertoGatewayState(rawValue: word)))))
        line.run(for: .milliseconds(1_990))
        #expect(line.queries.isEmpty)
        line.run(for: .milliseconds(4_020))
        #expect(line.queries == ["voice_sdk_id=A%20b%2F1&skip_last_voice_sdk_id=true"])
        // A working instance is stored again.
        try line.logIn()
        line.clear()
        line.post(.pathChanged)
        #expect(line.queries == ["voice_sdk_id=A%20b%2F1"])
    }

    @Test(arguments: ["IDLE", "ATTACHED"]) func meaninglessGatewayStatesAreIgnored(_ word: String) throws {
        var line = try asking()
        line.server("gatewayState", ["state": .string(word)])
        #expect(line.session.state == .registering)
        line.server("gatewayState", ["state": "REGED"])
        #expect(line.session.state == .ready)
        line.server("gatewayState", ["state": .string(word)])
        #expect(line.session.state == .ready)
    }

    @Test func everyGatewayStateIsHandled() {
        #expect(VertoGatewayState.allCases.count == 14)
    }

    @Test func silentGatewayIsAskedAgain() throws {
        var line = try asking()
        line.clear()
        line.run(for: VertoTiming.requestLimit + .seconds(4))
        #expect(line.take("gatewayState") != nil)
        try Self.expectReady(&line)
    }

    private static func expectReady(_ line: inout Line) throws {
        line.server("gatewayState", ["state": "REGED"])
        #expect(line.session.state == .ready)
    }

    @Test func chattyGatewayIsStillAsked() throws {
        var line = try asking()
        line.clear()
        for _ in 0..<8 {
            line.server("gatewayState", ["state": "TRYING"])
            line.run(for: .milliseconds(500))
        }
        #expect(line.take("gatewayState") != nil)
    }

    @Test func gatewayErrorIsNoRegistration() throws {
        var line = try asking()
        try line.refuse("gatewayState", ["code": -32_601, "message": "no"])
        #expect(line.session.state == .registering)
    }

    /// Active calls continue, and no new one can be made.
    @Test func lostRegistrationIsWaitedFor() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.server("gatewayState", ["state": "EXPIRED"])
        #expect(line.states == [.registering] && line.session.callIDs == [call])
        let other = try #require(VertoCallID("other"))
        line.post(other, .invite(VertoInvitation("1", sdp: "offer")))
        #expect(line.told(other) == [.ended(VertoEnd(.notReady))])
        line.post(call, .hold(true))
        try line.answer("modify", ["holdState": "held"])
        #expect(line.told(call) == [.held(true)])
        line.run(for: .seconds(4))
        try line.answer("gatewayState", ["params": ["state": "REGED"]])
        #expect(line.states.last == .ready)
    }

    @Test func requiredLoginIsRepeated() throws {
        var line = try asking()
        try line.refuse("gatewayState", ["code": -32_000, "message": "Authentication Required"])
        #expect(line.states.last == .waiting(.sessionForgotten))
    }
}
