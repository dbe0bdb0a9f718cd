import Base
import JSON
import Telephony
import Testing
import VertoCore

/// A call outlives its connection.
@Suite struct RecoveryTests {
    @Test func callIsReattached() throws {
        var line = try Line.ready()
        line.receive(["id": 1, "method": "telnyx_rtc.event", "params": [:], "voice_sdk_id": "VSDK-7"])
        let call = try line.talk()
        line.post(.closed(try #require(line.socket)))
        #expect(line.told(call) == [.recovering] && line.states == [.waiting(.connectionLost)])
        line.run(for: .seconds(2))
        #expect(line.queries == ["voice_sdk_id=VSDK-7"])
        line.post(.opened(try #require(line.socket)))
        let login = try line.request("login")
        #expect(login["params"]?["reconnection"] == true)
        line.receive(["id": login["id"] ?? nil, "result": ["message": "logged in"]])
        line.server("clientReady", ["reattached_sessions": ["out"]])
        try line.answer("gatewayState", ["params": ["state": "REGED"]])
        line.server("attach", ["callID": "out", "sdp": "server's offer"])
        #expect(line.told(call) == [.recovering, .attachOffered(sdp: "server's offer")])
        line.clear()
        line.post(call, .attachAnswer(sdp: "our answer"))
        let attach = try line.request("attach")
        #expect(
            attach["params"] == [
                "sessid": login["params"]?["sessid"] ?? nil, "sdp": "our answer", "User-Agent": "Offhook/1",
                "dialogParams": ["callID": "out", "attach": true],
            ])
        line.receive(["id": attach["id"] ?? nil, "result": ["callID": "out"]])
        #expect(line.told(call) == [.reattached])
        // The minute is over without an end.
        for _ in 0..<10 {
            line.run(for: .seconds(10))
            line.server("ping", [:])
        }
        #expect(line.session.callIDs == [call])
    }

    @Test func sessionKeepsItsName() throws {
        var line = Line()
        line.post(.connect)
        var names: [String?] = []
        for _ in 0..<3 {
            line.post(.opened(try #require(line.socket)))
            names.append(line.sent.last?["params"]?["sessid"]?.string)
            try line.answer("login")
            line.server("gatewayState", ["state": "REGED"])
            line.post(.closed(try #require(line.socket)))
            line.run(for: .seconds(10))
        }
        #expect(Set(names).count == 1 && names[0] != nil)
        // The server has forgotten it by now.
        line.post(.closed(try #require(line.socket)))
        line.run(for: .seconds(95))
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        let login = try line.request("login")
        #expect(login["params"]?["sessid"]?.string != names[0] && login["params"]?["reconnection"] == nil)
    }

    @Test func unlistedCallIsLost() throws {
        var line = try Line.ready()
        let (kept, lost) = (try line.talk("kept"), try line.talk("lost"))
        try line.loseAndReturn(reattached: [kept])
        #expect(line.session.callIDs == [kept, lost])
        line.run(for: .seconds(5))
        let end = VertoEnd(.lost, cause: "RECOVERY_ON_TIMER_EXPIRE", code: 102)
        #expect(line.told(lost) == [.recovering, .ended(end)])
        #expect(line.told(kept) == [.recovering] && line.session.callIDs == [kept])
    }

    /// FreeSWITCH offers first, and lists its session instead of the calls.
    @Test func callOfferedBeforeListIsKept() throws {
        var line = try Line.ready(.freeSWITCH)
        let (offered, waiting) = (try line.talk("offered"), try line.talk("waiting"))
        line.post(.closed(try #require(line.socket)))
        try line.runUntilConnecting()
        line.post(.opened(try #require(line.socket)))
        let session = try #require(line.sent.last?["params"]?["sessid"])
        try line.answer("login", ["sessid": session])
        line.server("attach", ["callID": "offered", "sdp": "o"])
        line.server("clientReady", ["reattached_sessions": [session]])
        #expect(line.session.callIDs == [offered, waiting])
        line.server("clientReady", ["reattached_sessions": []])
        line.run(for: .seconds(5))
        #expect(line.session.callIDs == [offered] && line.told(offered).last == .attachOffered(sdp: "o"))
    }

    @Test(arguments: [nil, 5, "out", ["out": true]] as [JSONValue]) func invalidListLosesNoCall(
        _ list: JSONValue
    ) throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(.closed(try #require(line.socket)))
        line.run(for: .seconds(2))
        line.post(.opened(try #require(line.socket)))
        try line.answer("login")
        line.server("clientReady", ["reattached_sessions": list])
        line.server("clientReady", [:])
        #expect(line.session.callIDs == [call])
    }

    @Test func callIsLostAfterOneMinute() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(.closed(try #require(line.socket)))
        line.run(for: .milliseconds(59_999))
        #expect(line.session.callIDs == [call])
        line.run(for: .milliseconds(1))
        #expect(line.told(call).last == .ended(VertoEnd(.lost, cause: "RECOVERY_ON_TIMER_EXPIRE", code: 102)))
    }

    /// A second loss does not give it another minute.
    @Test func minuteStartsOnce() throws {
        var line = try Line.ready()
        let call = try line.talk()
        try line.loseAndReturn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.run(for: .seconds(20))
        try line.loseAndReturn(reattached: [call])
        line.run(for: .seconds(40))
        #expect(line.told(call).count { $0 == .recovering } == 1)
        #expect(line.session.callIDs.isEmpty)
    }

    @Test func hangUpWithoutConnectionEndsCall() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(.closed(try #require(line.socket)))
        line.post(call, .bye())
        #expect(line.told(call).last == .ended(VertoEnd(.here, cause: "NORMAL_CLEARING", code: 16)))
        #expect(line.take("bye") == nil)
        line.run(for: .seconds(2))
        try line.logIn(reattached: [call])
        // As soon as the server can receive it, and again if it has not.
        #expect(try line.request("bye")["params"]?["dialogParams"] == ["callID": "out"])
        line.server("attach", ["callID": "out", "sdp": "o"])
        #expect(line.take("bye") != nil && line.told(call).last != .attachOffered(sdp: "o"))
        // But not with every connection.
        try line.loseAndReturn(reattached: [])
        #expect(line.take("bye") == nil)
    }

    /// A line that is switched off without a connection sends it soon after it is switched on again.
    @Test(arguments: [30, 100]) func byeIsOwedForLimitedTime(_ seconds: Int) throws {
        var line = try Line.ready()
        _ = try line.talk()
        line.post(.closed(try #require(line.socket)))
        line.post(.disconnect)
        line.run(for: .seconds(seconds))
        line.post(.connect)
        try line.logIn()
        #expect((line.take("bye") != nil) == (seconds == 30))
    }

    @Test func callOfFormerRunIsHungUp() throws {
        var line = try Line.ready()
        line.server("attach", ["callID": "old", "sdp": "o"])
        #expect(line.take("bye")?["params"]?["dialogParams"] == ["callID": "old"])
        #expect(line.session.census[.unknownCall] == 1 && line.session.callIDs.isEmpty)
    }

    @Test(arguments: ["invite", "attach"]) func ringingCallIsOfferedAgain(_ method: String) throws {
        var line = try Line.ready()
        let call = try line.ring()
        try line.loseAndReturn(reattached: [call])
        line.clear()
        line.server(method, ["callID": "in", "sdp": "another offer"])
        #expect(line.told(call) == [.reoffered(sdp: "another offer")])
        line.post(call, .answer(sdp: "a"))
        try line.answer("answer")
        #expect(line.told(call).last == .connected)
    }

    /// Our answer was pending when the connection was lost.
    @Test func unreceivedAnswerIsRepeated() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .answer(sdp: "a"))
        try line.loseAndReturn(reattached: [call])
        line.server("invite", ["callID": "in", "sdp": "another offer"])
        #expect(line.told(call).last == .reoffered(sdp: "another offer"))
        // If it did get it, it reattaches the call as active.
        var other = try Line.ready()
        let second = try other.ring()
        other.post(second, .answer(sdp: "a"))
        try other.loseAndReturn(reattached: [second])
        other.server("attach", ["callID": "in", "sdp": "o"])
        #expect(other.told(second).last == .attachOffered(sdp: "o"))
    }

    @Test func refusedOrUnansweredAttachmentLosesCall() throws {
        for isRefused in [true, false] {
            var line = try Line.ready()
            let call = try line.talk()
            try line.loseAndReturn(reattached: [call])
            line.server("attach", ["callID": "out", "sdp": "o"])
            line.post(call, .attachAnswer(sdp: "a"))
            if isRefused {
                try line.refuse("attach", ["code": -32_002, "message": "CALL DOES NOT EXIST"])
            } else {
                line.run(for: .seconds(1))
                line.server("event", [:])
                line.run(for: VertoTiming.requestLimit - .seconds(1))
            }
            guard case .ended(let end)? = line.told(call).last else {
                Issue.record("it goes on")
                return
            }
            #expect(end.reason == .lost)
        }
    }

    @Test func attachmentOnDeadConnectionIsRetriedOnNext() throws {
        var line = try Line.ready()
        let call = try line.talk()
        try line.loseAndReturn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "one"])
        line.post(call, .attachAnswer(sdp: "a"))
        line.clear()
        line.run(for: VertoTiming.requestLimit)
        try line.runUntilConnecting()
        try line.logIn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "two"])
        line.post(call, .attachAnswer(sdp: "b"))
        try line.answer("attach")
        #expect(line.told(call) == [.attachOffered(sdp: "two"), .reattached])
    }

    @Test func newAttachmentReplacesFormerOne() throws {
        var line = try Line.ready()
        let call = try line.talk()
        try line.loseAndReturn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "one"])
        line.post(call, .attachAnswer(sdp: "answer to one"))
        line.clear()
        line.server("attach", ["callID": "out", "sdp": "two"])
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(call) == [.attachOffered(sdp: "two")])
    }

    /// The connection is there, and the server moves the call.
    @Test func unexpectedAttachmentIsReported() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .updateMedia(sdp: "o"))
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.server("attach", ["callID": "out"])
        #expect(line.told(call) == [.attachOffered(sdp: "o"), .mediaUpdateFailed])
        #expect(line.session.census[.noDescription] == 1)
    }

    @Test func holdIsRestored() throws {
        for isAnswered in [true, false] {
            var line = try Line.ready()
            let call = try line.talk()
            line.post(call, .hold(true))
            if isAnswered { try line.answer("modify", ["holdState": "held"]) }
            try line.loseAndReturn(reattached: [call])
            line.server("attach", ["callID": "out", "sdp": "o"])
            line.post(call, .attachAnswer(sdp: "a"))
            line.effects = []
            try line.answer("attach")
            #expect(line.told(call) == [.reattached])
            #expect(line.sent.last?["params"]?["action"] == "hold")
            try line.answer("modify", ["holdState": "held"])
            #expect(line.told(call) == [.reattached, .held(true)])
        }
    }

    /// The requester has long had a failure: the server gets the last confirmed state.
    @Test(arguments: [true, false]) func abandonedHoldIsNotRestored(_ wanted: Bool) throws {
        var line = try Line.ready()
        let call = try line.talk()
        if !wanted {
            line.post(call, .hold(true))
            try line.answer("modify", ["holdState": "held"])
        }
        line.post(call, .hold(wanted))
        try line.loseAndReturn(reattached: [call])
        for _ in 0..<2 {
            line.run(for: .seconds(12))
            line.server("ping", [:])
        }
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.post(call, .attachAnswer(sdp: "a"))
        line.effects = []
        try line.answer("attach")
        #expect(line.told(call) == [.reattached, .holdFailed])
        #expect(line.sent.last?["params"]?["action"] == (wanted ? "unhold" : "hold"))
        try line.answer("modify", ["holdState": wanted ? "active" : "held"])
        #expect(line.told(call).last == .held(!wanted))
    }

    /// A resume that lost the connection twice still takes effect.
    @Test func lastHoldRequestIsRestored() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .hold(true))
        try line.answer("modify", ["holdState": "held"])
        line.post(call, .hold(false))
        try line.loseAndReturn(reattached: [call])
        line.post(.closed(try #require(line.socket)))
        try line.runUntilConnecting()
        try line.logIn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.post(call, .attachAnswer(sdp: "a"))
        try line.answer("attach")
        #expect(line.sent.last?["params"]?["action"] == "unhold")
    }

    @Test func pendingRequestsFail() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .dtmf(.one))
        line.post(call, .dtmf(.two))
        line.post(call, .updateMedia(sdp: "o"))
        try line.loseAndReturn(reattached: [call])
        #expect(line.told(call) == [.recovering, .dtmfFailed, .mediaUpdateFailed])
        line.post(call, .hold(true))
        line.post(call, .dtmf(.one))
        line.post(call, .updateMedia(sdp: "o"))
        #expect(line.told(call).suffix(3) == [.holdFailed, .dtmfFailed, .mediaUpdateFailed])
        #expect(line.take("info")?["params"]?["dtmf"] == "1")
        #expect(line.take("info") == nil)
    }

    // MARK: A change of the network

    @Test func newPathIsUsedAtOnce() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.run(for: .seconds(5))
        line.clear()
        let old = try #require(line.socket)
        line.post(.pathChanged)
        #expect(line.effects.first == .disconnect(old) && line.queries.count == 1)
        #expect(line.told(call) == [.recovering] && line.states == [.connecting])
        // Late data on the old connection is ignored.
        line.post(.received(#"{"method":"telnyx_rtc.bye","id":1,"params":{"callID":"out"}}"#, old))
        line.post(.closed(old))
        #expect(line.session.callIDs == [call] && line.session.census[.staleSocket] == 1)
        #expect(line.session.state == .connecting)
    }

    @Test func betterPathIsUsed() throws {
        var line = Line()
        line.post(.connect)
        for _ in 0..<8 {
            line.post(.closed(try #require(line.socket)))
            try line.runUntilConnecting()
        }
        line.post(.pathChanged)
        try line.runUntilConnecting()
        line.post(.closed(try #require(line.socket)))
        #expect(try #require(line.session.deadline) - line.now < .milliseconds(1_300))
    }

    @Test func flappingPathsCauseNoStorm() throws {
        var line = try Line.ready()
        for _ in 0..<100 {
            line.post(.pathChanged)
            line.run(for: .milliseconds(50))
        }
        #expect((4...6).contains(line.queries.count), "\(line.queries.count) connections in five seconds")
    }
}
