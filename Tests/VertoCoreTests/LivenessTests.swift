import Base
import JSON
import Testing
import VertoCore

/// Whether the server is there, and the reaction if it is not.
@Suite struct LivenessTests {
    @Test func pingIsReturnedUnchanged() throws {
        let ping = #"{ "jsonrpc":"2.0","id":168, "method":"telnyx_rtc.ping","params":{},"voice_sdk_id":"V" }"#
        var line = try Line.ready()
        line.receive(ping)
        #expect(line.wire.last == ping && line.sent.count == 1)
        // The response to a ping has its own id.
        line.receive(["jsonrpc": "2.0", "id": 168, "result": ["message": "PONG"]])
        #expect(line.session.census[.unknownID] == 0)
        // An unregistered line would get an error.
        line.server("gatewayState", ["state": "TRYING"])
        line.clear()
        line.receive(ping)
        #expect(line.sent.isEmpty)
    }

    @Test func freeSWITCHCountsItsPings() throws {
        var line = try Line.ready(.freeSWITCH)
        let ping = #"{"jsonrpc":"2.0","method":"verto.ping","id":3,"params":{"serno":17}}"#
        line.receive(ping)
        #expect(line.wire.last == ping)
    }

    @Test func silentServerIsPinged() throws {
        var line = try Line.ready()
        line.receive(["id": 1, "method": "telnyx_rtc.event", "params": [:], "voice_sdk_id": "V"])
        line.clear()
        line.run(for: .milliseconds(34_999))
        #expect(line.sent.isEmpty)
        line.run(for: .milliseconds(1))
        #expect(
            line.take("ping")?.without("id") == [
                "jsonrpc": "2.0", "method": "telnyx_rtc.ping", "params": [:], "voice_sdk_id": "V",
            ])
        // Any message proves that it is there.
        line.run(for: .milliseconds(4_999))
        line.receive("#SPU 1")
        line.run(for: .seconds(34))
        #expect(line.session.state == .ready)
    }

    @Test func lostServerIsDropped() throws {
        var line = try Line.ready()
        line.run(for: .seconds(40))
        #expect(line.states == [.waiting(.silent)])
        #expect(line.effects.contains(.disconnect(try #require(line.socket))))
    }

    /// Twice as soon during a call.
    @Test func callShortensPingInterval() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.run(for: .seconds(20))
        #expect(line.asked == ["telnyx_rtc.ping"])
        line.run(for: .seconds(5))
        #expect(line.told(call) == [.recovering])
    }

    /// It sends, but nothing proves that it receives.
    @Test func callNeedsConfirmedRequests() throws {
        var line = try Line.ready()
        _ = try line.talk()
        for _ in 0..<8 {
            line.run(for: .seconds(5))
            line.server("event", [:])
        }
        #expect(line.take("ping") == nil)
        line.run(for: .seconds(5))
        try line.answer("ping", ["message": "PONG"])
        line.clear()
        for _ in 0..<8 {
            line.run(for: .seconds(5))
            line.server("event", [:])
        }
        #expect(line.take("ping") == nil && line.session.state == .ready)
        // A server that answers no ping, but sends, is not pinged after each message.
        for _ in 0..<8 {
            line.run(for: .seconds(5))
            line.server("event", [:])
        }
        #expect(line.asked == ["telnyx_rtc.ping"] && line.session.state == .ready)
    }

    @Test func idleLineNeedsNoConfirmation() throws {
        var line = try Line.ready()
        for _ in 0..<4 {
            line.run(for: .seconds(30))
            line.server("event", [:])
        }
        _ = try line.ring()
        line.run(for: .seconds(10))
        #expect(line.asked.isEmpty && line.session.state == .ready)
    }

    @Test func forgetfulServerGetsLoginAgain() throws {
        var line = try Line.ready()
        line.run(for: .seconds(35))
        try line.refuse("ping", ["code": -32_000, "message": "Authentication Required"])
        #expect(line.states == [.waiting(.sessionForgotten)])
    }

    // MARK: Back-off

    @Test func unreachableServerIsTriedEverLessOften() throws {
        var line = Line()
        line.post(.connect)
        var pauses: [Double] = []
        for _ in 0..<13 {
            line.post(.closed(try #require(line.socket)))
            let since = line.now
            let due = try #require(line.session.deadline)
            pauses.append((due - since).milliseconds / 1_000)
            line.now = due
            line.post(.deadline)
        }
        for (pause, middle) in zip(pauses, [1.0, 2, 4, 8, 16, 30, 30, 30, 30, 30, 300, 300, 300]) {
            #expect((0.74 * middle...1.26 * middle).contains(pause), "\(pauses)")
        }
        // Phones that lost the same server do not return together.
        #expect(Set(pauses.suffix(8)).count > 6)
    }

    @Test func slowConnectionIsAbandoned() throws {
        var line = Line()
        line.post(.connect)
        line.run(for: VertoTiming.connectLimit)
        #expect(line.states == [.connecting, .waiting(.unreachable)])
        #expect(line.effects.contains(.disconnect(try #require(line.socket))))
    }

    /// A server that accepts each login and closes at once is no good server.
    @Test func onlyLastingConnectionResetsBackoff() throws {
        var line = Line()
        line.post(.connect)
        for _ in 0..<6 {
            try line.logIn()
            line.post(.closed(try #require(line.socket)))
            try line.runUntilConnecting()
        }
        try line.logIn()
        line.clear()
        line.post(.closed(try #require(line.socket)))
        line.run(for: .seconds(20))
        #expect(line.queries.isEmpty)
        try line.runUntilConnecting()
        try line.logIn()
        for _ in 0..<7 {
            line.run(for: .seconds(10))
            line.server("event", [:])
        }
        line.clear()
        line.post(.closed(try #require(line.socket)))
        line.run(for: .seconds(2))
        #expect(line.queries.count == 1)
    }

    // MARK: Punt

    @Test func droppedSessionEndsCallsSilently() throws {
        var line = try Line.ready()
        let (one, two) = (try line.talk("one"), try line.ring("two"))
        line.run(for: .seconds(10))
        line.clear()
        line.server("punt", [:])
        #expect(line.told(one) == [.ended(VertoEnd(.dropped))] && line.told(two) == [.ended(VertoEnd(.dropped))])
        #expect(line.sent.isEmpty && line.states == [.waiting(.punted)])
        #expect(line.effects.contains(.disconnect(try #require(line.socket))))
        line.run(for: .seconds(22))
        #expect(line.queries.isEmpty)
        try line.runUntilConnecting()
        line.post(.opened(try #require(line.socket)))
        #expect(try line.request("login")["params"]?["reconnection"] == nil)
    }

    @Test func serverThatKeepsDroppingIsLeftAlone() throws {
        var line = try Line.ready()
        for _ in 0..<600 {
            if line.session.state == .connecting {
                try line.logIn()
                line.server("punt", [:])
            } else if line.session.state == .ready {
                line.server("punt", [:])
            }
            line.run(for: .seconds(1))
        }
        #expect(line.queries.count <= 7, "\(line.queries.count) in ten minutes")
    }

    // MARK: Disconnected

    @Test func disconnectSendsBye() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(.disconnect)
        #expect(line.told(call) == [.ended(VertoEnd(.here, cause: "NORMAL_CLEARING", code: 16))])
        #expect(line.asked == ["telnyx_rtc.bye"] && line.states == [.off] && line.session.deadline == nil)
        #expect(line.effects.dropLast().last == .disconnect(try #require(line.socket)))
        line.run(for: .seconds(100))
        #expect(line.queries.isEmpty)
        line.post(.connect)
        #expect(line.queries.count == 1)
    }
}
