import Base
import JSON
import Testing
import VertoCore

/// The frames until the line is ready.
@Suite struct LoginTests {
    @Test func passwordLogsIn() throws {
        var line = Line()
        line.post(.connect)
        #expect(line.queries == [""] && line.states == [.connecting])
        line.post(.opened(try #require(line.socket)))
        #expect(line.states == [.connecting, .authenticating])
        let login = try line.request("login")
        let session = try #require(login["params"]?["sessid"]?.string)
        #expect(
            login.without("id") == [
                "jsonrpc": "2.0", "method": "login",
                "params": [
                    "login": "alice", "passwd": .string(Line.password), "sessid": .string(session),
                    "User-Agent": "Offhook/1", "loginParams": ["attach_call": "true"], "userVariables": [:],
                ],
            ])
        #expect(isUUID(session) && isUUID(login["id"]?.string ?? ""))
    }

    private func isUUID(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
    }

    @Test func tokenLogsIn() throws {
        var line = Line(.telnyx, .token(Redacted(Line.token)))
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        let params = try #require(try line.request("login")["params"])
        #expect(params["login_token"] == .string(Line.token) && params["login"] == nil && params["passwd"] == nil)
    }

    @Test func freeSWITCHLogsIn() throws {
        var line = Line(.freeSWITCH, .password(user: "1000@pbx.example", Redacted(Line.password)))
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        let login = try #require(line.sent.last)
        #expect(
            login["params"]?.without("sessid") == [
                "login": "1000@pbx.example", "passwd": .string(Line.password), "loginParams": [:], "userVariables": [:],
            ])
        try line.answer("login", ["message": "logged in", "sessid": login["params"]?["sessid"] ?? nil])
        // There is no gateway to wait for.
        #expect(line.states.last == .ready && line.asked.isEmpty)
    }

    /// The frames of the fact sheet, §1.1.
    @Test func framesFollowSequence() throws {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        let login = try line.request("login")
        line.receive([
            "jsonrpc": "2.0", "id": login["id"] ?? nil, "voice_sdk_id": "VSDK1",
            "result": ["message": "logged in", "sessid": login["params"]?["sessid"] ?? nil],
        ])
        #expect(line.states.last == .registering && line.sent.isEmpty)
        line.receive(
            #"{"id":163,"jsonrpc":"2.0","method":"telnyx_rtc.clientReady","params":{"reattached_sessions":[]},"voice_sdk_id":"VSDK2"}"#
        )
        #expect(line.sent.first == ["jsonrpc": "2.0", "id": 163, "result": ["method": "telnyx_rtc.clientReady"]])
        let question = try line.request("gatewayState")
        #expect(question.without("id") == ["jsonrpc": "2.0", "method": "telnyx_rtc.gatewayState", "params": [:]])
        line.receive([
            "jsonrpc": "2.0", "id": question["id"] ?? nil,
            "result": [
                "params": ["state": "REGED", "call_report_id": "r", "dc": "d", "region": "eu"],
                "sessid": login["params"]?["sessid"] ?? nil,
            ],
        ])
        #expect(line.states == [.connecting, .authenticating, .registering, .ready])
    }

    @Test func neverReadyServerIsStillAsked() throws {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        try line.answer("login")
        line.run(for: .milliseconds(2_999))
        #expect(line.take("gatewayState") == nil)
        line.run(for: .milliseconds(1))
        try line.answer("gatewayState", ["state": "REGED"])
        #expect(line.session.state == .ready)
    }

    @Test(arguments: [-32_001, -32_000]) func refusedCredentialsAreReported(_ code: Int64) throws {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        try line.refuse("login", ["code": .integer(code), "message": "Login Incorrect"])
        let failure = VertoFailure.credentials("Login Incorrect")
        #expect(line.states.last == .waiting(failure) && failure.words.contains("Login Incorrect"))
        #expect(line.effects.contains(.disconnect(try #require(line.socket))))
        // New credentials are used within five seconds; wrong ones are not retried more often because of that.
        line.clear()
        line.run(for: .seconds(7))
        #expect(line.queries.isEmpty)
        line.run(for: .seconds(6))
        #expect(line.queries.count == 1)
    }

    /// A refused token is reported like a wrong password, with a remedy.
    @Test func refusedTokenIsReported() throws {
        var line = Line(.telnyx, .token(Redacted(Line.token)))
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        #expect(line.sent.last?["params"]?["login"] == nil && line.sent.last?["params"]?["passwd"] == nil)
        try line.refuse("login", ["code": -32_000, "message": "Authentication Required"])
        let failure = VertoFailure.token("Authentication Required")
        #expect(line.states.last == .waiting(failure))
        #expect(failure.words.contains("expired") && failure.words.contains("(Authentication Required)"))
        line.clear()
        line.run(for: .seconds(7))
        #expect(line.queries.isEmpty, "it is not tried more often than a wrong password")
        line.post(.credentials(.token(Redacted("fresh"))))
        #expect(line.queries.count == 1)
    }

    /// Servers' texts are shown and logged.
    @Test(arguments: [
        "no such token: \(Line.token)", "bad signature …iJIUzI1N…", "\(Line.token.prefix(20))", Line.password,
        "wrong: \(Line.password)!",
    ])
    func refusalWithSecretIsNotShown(message: String) throws {
        for credentials in [
            VertoCredentials.token(Redacted(Line.token)), .password(user: "alice", Redacted(Line.password)),
        ] {
            var line = Line(.telnyx, credentials)
            line.post(.connect)
            line.post(.opened(try #require(line.socket)))
            try line.refuse("login", ["code": -32_000, "message": .string(message)])
            guard case .waiting(let failure)? = line.states.last else {
                Issue.record("the line continues")
                continue
            }
            switch credentials {
            case .token: #expect(message.contains("s3cr3t") || !failure.words.contains(message))
            case .password(_, let password):
                #expect(!failure.words.contains(password.reveal()), "\(failure.words)")
            }
        }
    }

    /// The frame writer escapes every byte; none ends the text.
    @Test(arguments: ["\"}", "a\\", "\u{0}\u{1B}[31m\r\n", "é\u{202E}", "", String(repeating: "x", count: 4_096)])
    func tokenMayHoldAnyCharacter(token: String) throws {
        var line = Line(.telnyx, .token(Redacted(token)))
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        #expect(line.sent.last?["params"]?["login_token"] == .string(token))
        try line.refuse("login", ["code": -32_000, "message": "\u{1B}[2J"])
        #expect(line.states.last == .waiting(.token("[2J")) || line.states.last == .waiting(.token("")))
    }

    @Test func newCredentialsAreTriedAtOnce() throws {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        line.run(for: .seconds(2))
        try line.refuse("login", ["code": -32_001, "message": "Login Incorrect"])
        line.clear()
        line.post(.credentials(.token(Redacted("fresh"))))
        #expect(line.queries.count == 1)
        line.post(.opened(try #require(line.socket)))
        #expect(line.take("login")?["params"]?["login_token"] == "fresh")
    }

    @Test func freeSWITCHRejectsToken() {
        var line = Line(.freeSWITCH, .token(Redacted(Line.token)))
        line.post(.connect)
        #expect(line.states == [.waiting(.tokenNotTaken)] && line.queries.isEmpty && line.session.deadline == nil)
        line.post(.credentials(.password(user: "a@b", Redacted("p"))))
        #expect(line.queries == [""])
    }

    @Test func unansweredLoginEndsConnection() throws {
        var line = Line()
        line.post(.connect)
        line.post(.opened(try #require(line.socket)))
        line.run(for: VertoTiming.requestLimit)
        #expect(line.states.last == .waiting(.silent))
    }
}
