import Control
import JSON
import PhoneCore
import Testing

@Suite struct RequestTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let method: String
        let params: [String: JSONValue]
        let request: Request
        var testDescription: String { "\(method) \(JSONValue.object(params).text)" }

        init(_ method: String, _ params: [String: JSONValue], _ request: Request) {
            (self.method, self.params, self.request) = (method, params, request)
        }
    }

    static let incoming = CallID(.line(AccountID(1)), 7)
    static let rows: [Row] = [
        Row("dial", ["target": "100"], .dial("100", account: nil)),
        Row(
            "dial", ["target": "1", "callerName": "Front desk", "headers": ["x-b": "2", "X-A": "1 2"]],
            .dial(
                "1", account: nil,
                presentation: CallPresentation(
                    callerName: "Front desk",
                    headers: [CallHeader("X-A", "1 2"), CallHeader("x-b", "2")].compactMap(\.self)))),
        Row(
            "dial", ["target": "1", "callerNumber": "+49 30", "headers": [:]],
            .dial("1", account: nil, presentation: CallPresentation(callerNumber: "+49 30"))),
        Row("call", ["target": "sip:a@b", "account": 3], .dial("sip:a@b", account: AccountID(3))),
        Row("consult", ["target": "100"], .dial("100", account: nil)),
        Row("dial", ["target": "1", "account": "Büro"], .dial("1", account: AccountID(3))),
        Row("acceptTransfer", ["call": "in-1.7"], .acceptTransfer(incoming)),
        Row("declineTransfer", [:], .declineTransfer(nil)),
        Row("answer", [:], .answer(nil)),
        Row("answer", ["call": "in-1.7"], .answer(incoming)),
        Row("hangup", ["call": "out-3"], .hangUp(CallID(.phone, 3))),
        Row("decline", [:], .decline(nil)),
        Row("decline", ["call": "in-1.7"], .decline(incoming)),
        Row("hold", [:], .hold(nil)),
        Row("resume", ["call": "in-1.7"], .resume(incoming)),
        Row("setHold", ["on": true], .hold(nil)),
        Row("setHold", ["on": false, "call": "out-3"], .resume(CallID(.phone, 3))),
        Row("setMute", ["on": true], .mute(true)),
        Row("sendDTMF", ["digits": "1,#a"], .dtmf(nil, [.symbol(.one), .pause, .symbol(.pound), .symbol(.a)])),
        Row("setRoute", ["route": "speaker"], .route(.speaker)),
        Row("answer", ["call": "info-2"], .answer(CallID(.info, 2))),
        Row("toggleHold", ["call": "out-3"], .toggleHold(CallID(.phone, 3))),
        Row("toggleMute", [:], .toggleMute),
        Row("setSpeaker", ["on": true], .speaker(true)),
        Row("setSpeaker", ["on": false], .speaker(false)),
        Row("toggleSpeaker", [:], .toggleSpeaker),
        Row("transfer", ["to": "200"], .transfer(nil, to: "200")),
        Row("transfer", ["to": "200", "call": "in-1.7"], .transfer(incoming, to: "200")),
        Row("transfer", ["call": "in-1.7", "toCall": "out-3"], .connect(incoming, CallID(.phone, 3))),
        Row("conference", [:], .conference), Row("startRecording", [:], .startRecording(nil)),
        Row("startRecording", ["call": "out-3"], .startRecording(CallID(.phone, 3))),
        Row("stopRecording", [:], .stopRecording),
        Row("startPlayback", ["file": "a.wav"], .startPlayback(file: "a.wav", nil)),
        Row("startPlayback", ["file": "a.wav", "call": "out-3"], .startPlayback(file: "a.wav", CallID(.phone, 3))),
        Row("stopPlayback", [:], .stopPlayback),
        Row("startPage", ["group": 2], .startPage(group: 2)), Row("stopPage", [:], .stopPage),
        Row("testSound", [:], .testSound(nil)), Row("testSound", ["route": "headset"], .testSound(.headset)),
        Row("silenceRinger", [:], .silenceRinger),
        Row("setDoNotDisturb", ["on": true], .doNotDisturb(true)),
        Row("setVolume", ["kind": "ring", "level": 0], .volume(.ring, 0)),
        Row("setVolume", ["kind": "call", "level": 10], .volume(.call, 10)),
        Row("relay", ["number": 1, "order": "pulse"], .relay(1, .pulse)),
        Row("relay", ["number": 255, "order": "on"], .relay(255, .on)),
        Row("relay", ["number": 2, "order": "off"], .relay(2, .off)),
        Row("switchOrganization", ["organization": "acme"], .switchOrganisation(OrganisationID("acme"))),
        Row("signIn", [:], .signIn), Row("cancelSignIn", [:], .cancelSignIn), Row("signOut", [:], .signOut),
        Row("getOrganizations", [:], .organisations),
        Row("connect", [:], .connectAccounts), Row("disconnect", [:], .disconnectAccounts),
        Row("reconnect", [:], .reconnect),
        Row("compareWords", ["agree": true], .compareWords(nil, agree: true)),
        Row("compareWords", ["call": "in-1.7", "agree": false], .compareWords(incoming, agree: false)),
        Row("reset", [:], .reset), Row("clearMissedCalls", ["call": "past-5"], .clearMissedCalls(CallID(.past, 5))),
        Row("clearMissedCalls", [:], .clearMissedCalls(nil)),
        Row("clearMissedCalls", ["call": "in-1.7"], .clearMissedCalls(incoming)),
    ]

    @Test(arguments: rows) func methodBecomesItsRequest(_ row: Row) throws {
        try TestPhone.run { phone in
            let result = try phone.client().call(row.method, row.params)
            #expect(result == [:])
            #expect(phone.asked.take()?.request == row.request)
        }
    }

    /// The call's name comes before the answer, and a repeated request gets the same one.
    @Test func callAnswersWithItsName() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            let request =
                #"{"jsonrpc":"2.0","id":1,"method":"call","params":{"target":"200","key":"k"}}"# + "\n"
            raw.send(request)
            let action = try #require(phone.asked.take()?.action)
            try phone.perform(.called(action, CallID(.phone, 3)), .settled(action, .fulfilled))
            #expect(try raw.receive()?["result"] == ["callId": "out-3"])
            raw.send(request)
            #expect(try raw.receive()?["result"] == ["callId": "out-3"])
        }
    }

    @Test func callThatFailsHasNoName() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":1,"method":"call","params":{"target":"200"}}"# + "\n")
            let action = try #require(phone.asked.take()?.action)
            try phone.perform(.called(action, CallID(.phone, 3)), .settled(action, .failed(.timedOut)))
            let answer = try raw.receive()
            #expect(answer?["result"] == nil && answer?["error"]?["data"]?["code"] == "timedOut")
        }
    }

    @Test func everyActionHasItsOwnNumber() throws {
        try TestPhone.run { phone in
            let (one, two) = (try phone.client(), try phone.client())
            for client in [one, two, one] { _ = try client.call("answer") }
            let actions = (0..<3).compactMap { _ in phone.asked.take()?.action }
            #expect(Set(actions).count == 3)
        }
    }

    @Test func answersMatchRequestsInAnyOrder() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":"first","method":"answer"}"# + "\n")
            raw.send(#"{"jsonrpc":"2.0","id":2,"method":"hangup"}"# + "\n")
            let actions = (0..<2).compactMap { _ in phone.asked.take()?.action }
            try #require(actions.count == 2)
            try phone.perform(.settled(actions[1], .fulfilled), .settled(actions[0], .failed(.noSuchCall)))
            let answers = [try raw.receive(), try raw.receive()]
            #expect(answers[0] == ["jsonrpc": "2.0", "id": 2, "result": [:]])
            #expect(answers[1]?["id"] == "first")
            #expect(answers[1]?["error"]?["data"]?["code"] == "noSuchCall")
        }
    }

    @Test func notificationIsDoneAndNotAnswered() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","method":"answer"}"# + "\n")
            raw.send(#"{"jsonrpc":"2.0","method":"noSuchMethod"}"# + "\n")
            raw.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n")
            #expect(try raw.receive()?["id"] == 1)
            #expect(phone.asked.take()?.request == .answer(nil))
        }
    }

    @Test func halfClosedClientStillGetsAnswer() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":1,"method":"answer"}"# + "\n")
            raw.finishSending()
            let action = try #require(phone.asked.take()?.action)
            try phone.perform(.settled(action, .fulfilled))
            #expect(try raw.receive()?["result"] == [:])
            #expect(try raw.receive() == nil)
        }
    }

    @Test func unknownSettlementIsDropped() throws {
        try TestPhone.run(manner: .waits) { phone in
            var raw: RawSocket? = try RawSocket(path: phone.path)
            raw?.send(#"{"jsonrpc":"2.0","id":1,"method":"answer"}"# + "\n")
            let action = try #require(phone.asked.take()?.action)
            raw = nil
            let isForgotten = try phone.comesTrue { $0.connections == 0 && $0.requestsInFlight == 0 }
            #expect(isForgotten)
            try phone.perform(.settled(action, .fulfilled), .settled(ActionID(.panel, 1), .fulfilled))
            #expect(try phone.client().call("ping")["version"] == "1.2.3")
        }
    }

    @Test func programAnswersForItself() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            #expect(try client.call("ping") == ["version": "1.2.3"])
            #expect(
                try client.call("getPanel") == [
                    "bell": true, "hook": false, "keys": ["5", "hold", "speed-2"], "lamps": ["line", "message"],
                    "meanings": ["speed-2": "sip:door@gate.example", "speed-3": "42"], "name": "Kiosk",
                    "organizationKeys": ["speed-3"], "simulated": true,
                ])
            #expect(try client.call("getBootTimeline") == ["steps": []])
            let statistics = try client.call("getStatistics")
            #expect(statistics["program"] == 7)
            #expect(statistics["control"]?["requests"] == 4)
        }
    }

    @Test func logIsAskedForAfterTheLastKnownLine() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            #expect(try client.call("getLog", ["after": 5])["last"] == 5)
            #expect(try client.call("getLog")["last"] == 0)
            #expect(throws: ControlClientError.self) { _ = try client.call("getLog", ["after": -1]) }
        }
    }
}
