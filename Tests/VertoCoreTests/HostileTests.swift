import Base
import JSON
import Testing
import VertoCore

/// Any data from a server is understood or counted, and no state grows.
@Suite struct HostileTests {
    static let frames: [(String, VertoDrop)] = [
        ("#SPU 65536", .speedTest), ("#SPB", .speedTest), ("", .notJSON), ("{", .notJSON), ("\u{0}", .notJSON),
        (String(repeating: "[", count: 60_000), .notJSON), (String(repeating: " ", count: 65_537), .tooLong),
        ("[]", .notAnObject), ("5", .notAnObject), (#""x""#, .notAnObject), ("{}", .noMessage),
        (#"{"id":1}"#, .noMessage), (#"{"method":5,"id":1}"#, .wrongType),
        (#"{"method":"telnyx_rtc.ping","id":1.5}"#, .badID), (#"{"method":"telnyx_rtc.ping","id":{}}"#, .badID),
        (#"{"method":"telnyx_rtc.ping","id":true}"#, .badID),
        (#"{"method":"telnyx_rtc.ping","id":"\#(String(repeating: "i", count: 129))"}"#, .badID),
        (#"{"method":"\#(String(repeating: "m", count: 129))","id":1}"#, .wrongType),
        (#"{"result":{},"id":"no such"}"#, .unknownID), (#"{"result":{},"id":5}"#, .unknownID),
        (#"{"result":{}}"#, .badID), (#"{"error":5,"id":"x"}"#, .wrongType), (#"{"error":{},"id":"x"}"#, .unknownID),
        (#"{"method":"telnyx_rtc.frobnicate","id":1}"#, .unknownMethod),
        (#"{"method":"verto.bye","id":1}"#, .unknownMethod),
        (#"{"method":"login","id":1}"#, .unknownMethod), (#"{"method":"telnyx_rtc.login","id":1}"#, .unknownMethod),
        (#"{"method":"telnyx_rtc.invite","id":1}"#, .noCallID),
        (#"{"method":"telnyx_rtc.bye","id":1,"params":[]}"#, .noCallID),
        (#"{"method":"telnyx_rtc.bye","id":1,"params":{"callID":5}}"#, .noCallID),
        (#"{"method":"telnyx_rtc.bye","id":1,"params":{"callID":"a b"}}"#, .noCallID),
        (#"{"method":"telnyx_rtc.bye","id":1,"params":{"callID":""}}"#, .noCallID),
        (#"{"method":"telnyx_rtc.bye","id":1,"params":{"callID":"x"}}"#, .unknownCall),
        (#"{"method":"telnyx_rtc.answer","id":1,"params":{"callID":"x","sdp":"s"}}"#, .unknownCall),
    ]

    @Test(arguments: frames) func invalidFrameIsCountedAndDropped(_ frame: String, _ reason: VertoDrop) throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.receive(frame)
        #expect(line.session.census[reason] == 1, "\(frame.prefix(80))")
        #expect(line.session.callIDs == [call] && line.session.state == .ready)
        #expect(line.told(call).isEmpty && line.states.isEmpty)
    }

    @Test(arguments: [17, "a1", "00000000-0000-4000-8000-000000000000", -5] as [JSONValue])
    func idsAreReturnedUnchanged(_ id: JSONValue) throws {
        var line = try Line.ready()
        for method in ["event", "frobnicate", "info", "bye", "subscribe"] {
            line.server(method, ["callID": "x"], id: id)
            #expect(
                line.sent.last == [
                    "jsonrpc": "2.0", "id": id, "result": ["method": .string("telnyx_rtc." + method)],
                ])
        }
        line.clear()
        // A request without an id needs no response.
        line.receive(["method": "telnyx_rtc.event", "params": [:]])
        line.receive(["method": "telnyx_rtc.event", "id": nil])
        #expect(line.sent.isEmpty)
    }

    /// A peer on our connection is not our server until it has accepted the login.
    @Test func framesBeforeLoginAreIgnored() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(.closed(try #require(line.socket)))
        line.run(for: .seconds(2))
        line.post(.opened(try #require(line.socket)))
        line.clear()
        line.server("bye", ["callID": "out", "cause": "NORMAL_CLEARING"])
        line.server("clientReady", ["reattached_sessions": []])
        line.server("punt", [:])
        line.server("gatewayState", ["state": "REGED"])
        line.server("invite", ["callID": "new", "sdp": "o"])
        line.server("ping", [:])
        #expect(line.effects.isEmpty && line.session.callIDs == [call])
        #expect(line.session.census[.notLoggedIn] == 6 && line.session.state == .authenticating)
    }

    @Test func otherDialectIsIgnored() throws {
        var line = try Line.ready(.freeSWITCH)
        line.receive(#"{"method":"telnyx_rtc.invite","id":1,"params":{"callID":"x","sdp":"s"}}"#)
        #expect(line.session.callIDs.isEmpty && line.session.census[.unknownMethod] == 1)
        // Nor features of the other dialect.
        line.server("gatewayState", ["state": "EXPIRED"])
        line.server("candidate", ["callID": "x", "candidate": "c"])
        #expect(line.session.state == .ready && line.session.census[.unknownMethod] == 3)
    }

    @Test func namesAreSafeToShow() throws {
        var line = try Line.ready()
        let long = JSONValue.string(String(repeating: "\u{1B}\u{202E}ä", count: 3_000))
        line.server("invite", ["callID": "x", "sdp": "s", "caller_id_name": long, "caller_id_number": [1]])
        guard case .incoming(let offer)? = line.told(try #require(VertoCallID("x"))).last else {
            Issue.record("no call")
            return
        }
        #expect(offer.caller.name == String(repeating: "ä", count: VertoLimits.nameBytes / 2))
        #expect(offer.caller.number == nil)
    }

    @Test func oversizedInstanceIsDropped() throws {
        var line = try Line.ready()
        for name in [.string(String(repeating: "v", count: 513)), "", 5] as [JSONValue] {
            line.receive(["id": 1, "method": "telnyx_rtc.event", "voice_sdk_id": name])
        }
        line.run(for: .seconds(2))
        line.clear()
        line.post(.pathChanged)
        #expect(line.queries == [""])
    }

    /// A silent server does not make the line remember everything.
    @Test func endedCallsLeaveNoState() throws {
        var line = try Line.ready()
        var kept: [Int] = []
        for round in 0..<2_000 {
            let call = round.isMultiple(of: 2) ? try line.talk("c\(round)") : try line.ring("c\(round)")
            line.post(call, .bye())
            line.clear()
            if round % 500 == 499 { kept.append(line.kept) }
        }
        #expect(kept.dropFirst().allSatisfy { $0 == kept[0] } && kept[0] < 1_500, "\(kept)")
    }

    @Test func foreignCallsLeaveNoState() throws {
        var line = try Line.ready()
        var kept: [Int] = []
        for round in 0..<1_000 {
            line.server(round.isMultiple(of: 2) ? "attach" : "invite", ["callID": .string("c\(round)")])
            if round % 250 == 249 { kept.append(line.kept) }
        }
        #expect(kept.dropFirst().allSatisfy { $0 == kept[0] }, "\(kept)")
    }

    // MARK: Secrets

    /// No printed form of the effects or the session has them.
    @Test func secretsAreNotPrinted() throws {
        for credentials in [
            VertoCredentials.password(user: "alice", Redacted(Line.password)), .token(Redacted(Line.token)),
        ] {
            var line = Line(.telnyx, credentials)
            line.post(.connect)
            line.post(.opened(try #require(line.socket)))
            #expect(line.wire.contains { $0.contains(Line.password) || $0.contains(Line.token) })
            var words = ""
            dump(line.session, to: &words)
            dump(line.effects, to: &words)
            words += "\(line.session) \(line.effects) \(String(reflecting: line.effects)) \(credentials)"
            try line.refuse("login", ["code": -32_001, "message": "Login Incorrect"])
            words += "\(line.effects)"
            #expect(!words.contains(Line.password) && !words.contains(Line.token))
            #expect(words.contains("login"))
        }
    }
}
