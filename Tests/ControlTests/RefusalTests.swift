import Control
import JSON
import PhoneCore
import Testing

@Suite struct RefusalTests {
    static let failures: [(failure: ActionFailure, code: String)] = [
        (.noSuchCall, "noSuchCall"), (.wrongState, "wrongState"), (.alreadyUnderWay, "alreadyUnderWay"),
        (.noRoom, "noRoom"), (.invalidTarget, "invalidTarget"), (.lineNotReady, "lineNotReady"),
        (.refusedThere, "refusedThere"), (.notSupported, "notSupported"), (.soundInUse, "soundInUse"),
        (.timedOut, "timedOut"),
        (.callEnded(.hungUpThere), "callEnded"), (.organisation(.timeout), "organizationSwitchFailed"),
        (.signIn(.denied), "signInFailed"), (.notSignedIn, "notSignedIn"), (.backend(.parse), "backendFailed"),
        (.file("the disk is full"), "fileFailed"), (.shuttingDown, "shuttingDown"),
    ]

    @Test func everyFailureHasStableWord() throws {
        for (failure, code) in Self.failures {
            try TestPhone.run(manner: .fails(failure)) { phone in
                #expect { try phone.client().call("answer") } throws: { Self.code(of: $0) == code }
            }
        }
    }

    @Test func endedCallGivesReason() throws {
        let ended = ActionFailure.callEnded(.rejected(488))
        try TestPhone.run(manner: .fails(ended)) { phone in
            #expect {
                try phone.client().call("answer")
            } throws: { error in
                guard case .refused("callEnded", _, let data) = error as? ControlClientError else { return false }
                return data["reason"] == "rejected" && data["status"] == 488
            }
        }
    }

    @Test func failedOrganizationSwitchGivesReason() throws {
        try TestPhone.run(manner: .fails(.organisation(.api(401, "not a member")))) { phone in
            #expect {
                try phone.client().call("switchOrganization", ["organization": "acme"])
            } throws: { error in
                guard case .refused("organizationSwitchFailed", _, let data) = error as? ControlClientError else {
                    return false
                }
                return data["reason"] == "api" && data["status"] == 401 && data["text"] == "not a member"
            }
        }
    }

    static let badParams: [(method: String, params: [String: JSONValue])] = [
        ("dial", [:]), ("dial", ["target": 100]), ("dial", ["target": "1", "acount": 1]),
        ("dial", ["target": .string(String(repeating: "1", count: 513))]), ("dial", ["target": "1", "account": -1]),
        ("dial", ["target": "1", "account": 1.5]), ("answer", ["call": "3"]), ("answer", ["call": "out-03"]),
        ("answer", ["call": "out-+3"]), ("answer", ["call": "in-1"]), ("answer", ["call": "in-1.2.3"]),
        ("answer", ["call": "out-4294967296"]), ("answer", ["call": nil]), ("setMute", [:]), ("setMute", ["on": 1]),
        ("sendDTMF", ["digits": ""]), ("sendDTMF", ["digits": "1x"]), ("sendDTMF", ["digits": "ß"]),
        ("sendDTMF", ["digits": "ﬃ"]), ("sendDTMF", ["digits": .string(String(repeating: "1", count: 65))]),
        ("setHold", ["call": "out-3"]), ("toggleMute", ["on": true]), ("toggleHold", ["on": true]),
        ("setSpeaker", [:]), ("toggleSpeaker", ["on": true]), ("transfer", [:]), ("transfer", ["call": "out-3"]),
        ("transfer", ["to": "200", "toCall": "out-3", "call": "out-1"]), ("transfer", ["toCall": "out-3"]),
        ("transfer", ["call": "out-3", "toCall": "out-3"]), ("transfer", ["to": 200]),
        ("transfer", ["to": .string(String(repeating: "1", count: 513))]), ("conference", ["call": "out-3"]),
        ("silenceRinger", ["on": true]), ("setDoNotDisturb", [:]), ("setDoNotDisturb", ["on": "on"]),
        ("setVolume", ["kind": "ring"]), ("setVolume", ["level": 5]), ("setVolume", ["kind": "bell", "level": 5]),
        ("setVolume", ["kind": "ring", "level": 11]), ("setVolume", ["kind": "ring", "level": -1]),
        ("setVolume", ["kind": "ring", "level": 5.5]), ("relay", ["number": 0, "order": "on"]),
        ("relay", ["number": 256, "order": "on"]), ("relay", ["number": 1, "order": "open"]), ("relay", ["number": 1]),
        ("switchOrganization", [:]), ("switchOrganization", ["organization": ""]),
        ("switchOrganization", ["organization": .string(String(repeating: "o", count: 257))]),
        ("clearMissedCalls", ["call": "all"]), ("dial", ["target": "1", "account": "nobody's"]),
        ("dial", ["target": "1", "account": true]), ("answer", ["call": "info-"]), ("answer", ["call": "info-02"]),
        ("getNetworkStatus", ["x": 1]), ("setRoute", ["route": "roof"]), ("setRoute", ["route": 1]),
        ("getSnapshot", ["x": 1]), ("subscribe", ["x": 1]), ("ping", ["x": 1]),
        ("pressKey", [:]), ("pressKey", ["key": "E"]), ("pressKey", ["key": "1", "holdMs": 9]),
        ("pressKey", ["key": "1", "holdMs": 10_001]), ("setLine", ["name": "hook"]),
        ("setLine", ["name": "hook", "level": 2]), ("cancel", [:]), ("cancel", ["id": 1.5]),
        ("dial", ["target": "1", "key": .string(String(repeating: "k", count: 65))]),
        ("dial", ["target": "1", "callerName": "\r\n"]), ("dial", ["target": "1", "callerNumber": 7]),
        ("dial", ["target": "1", "headers": "X-A=1"]), ("dial", ["target": "1", "headers": ["Via": "1"]]),
        ("dial", ["target": "1", "headers": ["X-A": 1]]), ("dial", ["target": "1", "headers": ["X-A": "1\r\nVia: x"]]),
        ("dial", ["target": "1", "headers": ["X-A: 1\r\nVia": "x"]]),
        ("dial", ["target": "1", "headers": ["X-A": .string(String(repeating: "a", count: 513))]]),
        ("dial", ["target": "1", "headers": .object(tooManyHeaders)]),
    ]

    private static let tooManyHeaders = Dictionary(
        uniqueKeysWithValues: (0...32).map { ("X-\($0)", JSONValue.string("1")) })

    @Test func parametersAreStrict() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for (method, params) in Self.badParams {
                #expect("\(method) \(params)") { try client.call(method, params) } throws: {
                    Self.code(of: $0) == "invalidParams"
                }
            }
            #expect { try client.call("fly") } throws: { Self.code(of: $0) == "methodNotFound" }
            let statistics = try phone.onLoop { $0.statistics }
            #expect(statistics.requestsInFlight == 0)
        }
    }

    static let sentences: [(method: String, params: [String: JSONValue], message: String)] = [
        ("setMute", ["an": true], "there is no parameter an; known are on"),
        ("conference", ["x": 1], "there is no parameter x; the method has none"),
        ("transfer", [:], "a transfer needs either to or toCall"),
        ("transfer", ["toCall": "out-1"], "call must be a text"),
        ("setVolume", ["kind": "bell", "level": 5], "kind must be one of call, ring"),
        ("setVolume", ["kind": "ring", "level": 11], "level must be a whole number from 0 to 10"),
        ("relay", ["number": 1, "order": "open"], "order must be one of on, off, pulse"),
        ("answer", ["call": "7"], "call must be a call's identifier, such as out-3, in-1.7 or info-2"),
        ("dial", ["target": "1", "account": "x"], #"there is no such account; known are ["Büro"]"#),
        (
            "pressKey", ["key": "E"],
            "key must be one of 0-9 * # A-D, hold, mute, speaker, headset, redial, volume-up, volume-down, flash, "
                + "transfer, conference, do-not-disturb, voicemail, line-1 to line-8, speed-1 to speed-16, "
                + "page-1 to page-16"
        ),
    ]

    @Test func errorNamesExactFault() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for (method, params, message) in Self.sentences {
                #expect("\(message)") { try client.call(method, params) } throws: {
                    guard case .refused("invalidParams", let told, _) = $0 as? ControlClientError else { return false }
                    return told == message
                }
            }
        }
    }

    /// Invalid lines, their error number, and the returned identifier.
    static let garbage: [(line: String, number: Int64, identifier: JSONValue)] = [
        ("garbage", -32700, nil), ("{", -32700, nil), ("\u{0}", -32700, nil), (#"{"id":1,"id":2}"#, -32700, nil),
        ("[]", -32600, nil), ("7", -32600, nil),
        ("[" + Array(repeating: "1", count: 17).joined(separator: ",") + "]", -32600, nil),
        ("{}", -32600, nil), (#"{"id":1,"method":"ping"}"#, -32600, 1),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, 1),
        (#"{"jsonrpc":"2.0","id":"a","method":7}"#, -32600, "a"),
        (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600, nil),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, nil),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602, 1),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, -32600, 1),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"bar"}"#, -32600, 1),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#, -32600, 1),
        // No request at all, so no notification either: the specification's own example has method 1.
        (#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, -32600, nil),
        (#"{"jsonrpc":"2.0","method":"ping","params":true}"#, -32600, nil),
        (#"{"method":"ping"}"#, -32600, nil),
    ]

    @Test func garbageIsAnsweredAndCounted() throws {
        try TestPhone.run { phone in
            let raw = try RawSocket(path: phone.path)
            for (line, number, identifier) in Self.garbage {
                raw.send(line + "\n")
                let answer = try raw.receive()
                #expect(answer?["error"]?["code"] == .integer(number), "\(line)")
                #expect(answer?["id"] == identifier, "\(line)")
            }
            raw.send([0xFF, 0xFE, UInt8(ascii: "\n")])
            #expect(try raw.receive()?["error"]?["code"] == -32700)
            #expect(try phone.onLoop { $0.statistics.malformedLines } == Self.garbage.count + 1)
        }
    }

    /// JSON-RPC 2.0 §4.1: not even one with wrong parameters, of no method, or that the phone refuses.
    static let notifications: [(line: String, isMalformed: Bool)] = [
        (#"{"jsonrpc":"2.0","method":"ping","params":[]}"#, true),
        (#"{"jsonrpc":"2.0","method":"ping","params":[1,2]}"#, true),
        (#"{"jsonrpc":"2.0","method":"ping","params":{"x":1}}"#, false),
        (#"{"jsonrpc":"2.0","method":"setMute","params":{"on":7}}"#, false),
        (#"{"jsonrpc":"2.0","method":"fly"}"#, false),
        (#"{"jsonrpc":"2.0","method":"hold"}"#, false),
        (#"[{"jsonrpc":"2.0","method":"ping","params":[]},{"jsonrpc":"2.0","method":"fly"}]"#, true),
    ]

    @Test func notificationIsNeverAnswered() throws {
        try TestPhone.run(TestPhone.http(), manner: .fails(.noSuchCall)) { phone in
            let (raw, browser) = (try RawSocket(path: phone.path), try phone.browser())
            for (line, _) in Self.notifications {
                raw.send(line + "\n" + LimitTests.ping)
                #expect(try raw.receive()?["result"]?["version"] == "1.2.3", "\(line)")
                browser.rpc(line)
                let answer = try #require(try browser.answer())
                #expect(answer.status == 204 && answer.body.isEmpty, "\(line)")
            }
            let malformed = 2 * Self.notifications.count(where: \.isMalformed)
            #expect(try phone.onLoop { $0.statistics.malformedLines } == malformed)
        }
    }

    @Test func realPanelRejectsSimulatedInput() throws {
        try TestPhone.run(hasPanel: false) { phone in
            let client = try phone.client()
            let requests: [(String, [String: JSONValue])] = [
                ("liftHook", [:]), ("replaceHook", [:]), ("pressKey", ["key": "1"]),
                ("setLine", ["name": "hook", "level": 1]),
            ]
            for (method, params) in requests {
                #expect { try client.call(method, params) } throws: { Self.code(of: $0) == "panelIsReal" }
            }
        }
    }

    @Test func simulatedPanelTakesInput() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for method in ["liftHook", "replaceHook"] { _ = try client.call(method) }
            _ = try client.call("pressKey", ["key": "5"])
            _ = try client.call("pressKey", ["key": "hold", "holdMs": 500])
            _ = try client.call("setLine", ["name": "hook", "level": 0])
            #expect { try client.call("pressKey", ["key": "redial"]) } throws: { Self.code(of: $0) == "panelRefused" }
            let done = (0..<5).compactMap { _ in phone.panel.take() }
            #expect(
                done == [
                    "lift", "replace", "digit(Telephony.DTMFSymbol.five) 0.12 seconds", "hold 0.5 seconds",
                    "hook false",
                ])
        }
    }

    static func code(of error: any Error) -> String? {
        if case .refused(let code, _, _) = error as? ControlClientError { code } else { nil }
    }
}
