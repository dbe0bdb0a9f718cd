import Base
import JSON
import LineCore
import SDPCore
import SIPCore
import Testing
import VertoCore

/// Features of a Verto account that a SIP account has, too.
@Suite struct VertoParityTests {
    private typealias Ground = VertoGround

    private let leg = CallID(.phone, 1)
    private let second = CallID(.phone, 2)

    // MARK: Transfer

    @Test func freeSWITCHTransfersToNumber() throws {
        var ground = try Ground(.freeSWITCH)
        let call = try ground.talk(leg)
        ground.post(.command(.transfer(leg, to: "sip:103@rtc.example")))
        let params = try #require(ground.frames.last?["params"])
        #expect(ground.frames.last?["method"] == "verto.modify" && params["dialogParams"]?["callID"] == call)
        #expect(params["action"] == "transfer" && params["destination"] == "103")
        try ground.answer(["action": "transfer", "message": "CALL TRANSFERRED", "holdState": "active"])
        #expect(
            ground.outputs == [
                .event(.transferSettled(leg, accepted: true)), .event(.transferred(leg, succeeded: true)),
            ])
    }

    @Test func freeSWITCHConnectsTwoFarEnds() throws {
        var ground = try Ground(.freeSWITCH)
        let call = try ground.talk(leg)
        let other = try ground.answered(second)
        ground.post(.command(.connect(leg, second)))
        let params = try #require(ground.frames.last?["params"])
        #expect(params["action"] == "replace" && params["replaceCallID"] == other)
        #expect(params["dialogParams"]?["callID"] == call)
        // The server ends the calls, possibly before it responds.
        ground.ask("bye", ["callID": other, "cause": "ATTENDED_TRANSFER", "causeCode": 801])
        #expect(ground.outputs.contains(.event(.ended(second, .hungUpThere))))
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        let told = ground.outputs.filter { if case .send = $0 { false } else { true } }
        #expect(
            told == [
                .event(.transferSettled(leg, accepted: true)), .event(.transferred(leg, succeeded: true)),
                .event(.endTold(leg, ServerEnd(cause: "NORMAL_CLEARING", code: 16, text: nil))),
                .event(.ended(leg, .hungUpThere)),
            ])
    }

    @Test func refusedTransferKeepsCall() throws {
        var ground = try Ground(.freeSWITCH)
        let call = try ground.talk(leg)
        ground.post(.command(.transfer(leg, to: "103")))
        let id = try #require(ground.frames.last?["id"])
        let error: JSONValue = ["code": -32_002, "message": "call is not bridged"]
        ground.say(["jsonrpc": "2.0", "id": id, "error": error])
        #expect(ground.outputs == [.event(.transferSettled(leg, accepted: false))])
        ground.post(.command(.connect(leg, CallID(.phone, 9))))
        #expect(ground.outputs == [.event(.transferSettled(leg, accepted: false))], "the other call is gone")
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        #expect(ground.outputs.contains(.event(.ended(leg, .hungUpThere))))
    }

    // MARK: Callers

    private func caller(
        _ more: [String: JSONValue], number: String = "200", _ dialect: VertoDialect = .freeSWITCH,
        trustsFrom: Bool = false
    ) throws -> Caller {
        var ground = try Ground(dialect) { $0.account?.vouchesForFrom = trustsFrom }
        try ground.register()
        let offer = ground.far.offer(held: false, using: &ground.generator)
        var params: [String: JSONValue] = [
            "callID": "c1", "sdp": Ground.text(offer), "caller_id_number": .string(number), "caller_id_name": "Door",
        ]
        params.merge(more) { _, new in new }
        ground.ask("invite", .object(params))
        let offered = ground.outputs.lazy.compactMap {
            if case .event(.offered(_, let caller)) = $0 { caller } else { nil }
        }
        return try #require(offered.first)
    }

    @Test func serverVouchesAsInSIP() throws {
        #expect(try caller([:]).vouched == nil, "a number alone is the caller's word")
        #expect(try caller([:], trustsFrom: true).vouched == AssertedNumber("200"))
        let asserted = try caller(["verto_h_P-Asserted-Identity": "\"Front\" <sip:201@rtc.example>"])
        #expect(
            asserted.vouched == AssertedNumber("201") && asserted.number == "201" && asserted.displayName == "Front")
        let other = try caller(["verto_h_P-Asserted-Identity": "<sip:201@trunk.example>"])
        #expect(other.vouched == AssertedNumber("201", domain: "trunk.example"))
    }

    @Test func withheldCallerIsNotVouchedFor() throws {
        #expect(try caller([:], number: "anonymous", trustsFrom: true).vouched == nil)
        #expect(try caller([:], number: "anonymous").isWithheld)
        let hidden = try caller(
            ["verto_h_P-Asserted-Identity": "<sip:201@rtc.example>", "verto_h_Privacy": "id"], trustsFrom: true)
        #expect(hidden.vouched == nil && hidden.isWithheld && hidden.displayName == nil)
        // Two different numbers may look alike.
        #expect(try caller([:], number: "2\u{200B}00", trustsFrom: true).vouched == nil)
        #expect(try caller([:], number: "200@trunk.example", trustsFrom: true).vouched?.domain == "trunk.example")
    }

    /// Telnyx passes on a caller's headers.
    @Test func callerHeadersVouchForNobody() throws {
        let headers: JSONValue = [
            "custom_headers": [["name": "P-Asserted-Identity", "value": "<sip:201@rtc.example>"]]
        ]
        let caller = try caller(["dialogParams": headers], .telnyx)
        #expect(caller.vouched == nil && caller.number == "200")
    }

    @Test(
        arguments: [
            ["verto_h_Alert-Info": "<http://pbx>;info=Bellcore-dr2"],
            ["variables": ["verto_svar_alert_info": "bellcore-dr2"]],
            ["variables": ["alert_info": "bellcore-dr2"]],
        ] as [[String: JSONValue]]) func headerSelectsRing(params: [String: JSONValue]) throws
    {
        let caller = try caller(params)
        #expect(caller.ring == "bellcore-dr2" && !caller.wantsAutoAnswer && caller.headers == nil)
    }

    @Test func headerRequestsAutomaticAnswer() throws {
        for (name, value) in [("Alert-Info", "info=auto-answer"), ("Call-Info", "<sip:x>;answer-after=0")] {
            #expect(try caller(["verto_h_\(name)": .string(value)]).wantsAutoAnswer)
            let headers: JSONValue = ["custom_headers": [["name": .string(name), "value": .string(value)]]]
            #expect(try caller(["dialogParams": headers], .telnyx).wantsAutoAnswer)
        }
        #expect(try !caller(["verto_h_Alert-Info": "info=auto-answer\r\nX: y"]).wantsAutoAnswer)
    }

    @Test func newlyWithheldPartyIsShownAsWithheld() throws {
        var ground = try Ground(.freeSWITCH)
        let call = try ground.talk(leg)
        ground.ask("display", ["callID": call, "display_name": "Anonymous", "display_number": "anonymous"])
        #expect(
            ground.outputs.contains(.event(.displayUpdated(leg, name: nil, number: "anonymous", standing: .withheld))))
    }

    // MARK: Messages and voice messages

    private func texts(_ ground: Ground) -> [String] {
        ground.outputs.compactMap {
            if case .event(.text(let sender, let text)) = $0 { "\(sender.number): \(text)" } else { nil }
        }
    }

    @Test func messagesAreShown() throws {
        var ground = try Ground(.freeSWITCH)
        let call = try ground.talk(leg)
        ground.ask("info", ["msg": ["from": "1002@rtc.example", "to": "101@rtc.example", "body": "lunch?\u{7}\n"]])
        #expect(texts(ground) == ["1002@rtc.example: lunch?"])
        ground.ask("info", ["callID": call, "txt": ["chars": "hello"]])
        #expect(texts(ground) == ["102: hello"], "the far end of the call")
        ground.ask("prompt", ["callID": call, "type": "message", "text": "Press 1"])
        #expect(texts(ground) == ["102: Press 1"])
        for odd in [
            ["msg": "x"], ["msg": ["body": ""]], ["txt": ["chars": .string(String(repeating: "x", count: 2_001))]],
        ]
            as [JSONValue]
        {
            ground.ask("info", odd)
            #expect(texts(ground).isEmpty)
        }
        var count = 0
        for _ in 0..<50 {
            ground.ask("info", ["msg": ["from": "1", "body": "spam"]])
            count += texts(ground).count
        }
        #expect(count < 12, "nobody can read them so quickly")
    }

    /// FreeSWITCH names the account with its domain, whatever the login is.
    @Test(arguments: ["101@rtc.example", nil]) func voiceMessageCountsAreReported(login: String?) throws {
        var ground = try Ground(.freeSWITCH) {
            $0.watches = [.messages]
            $0.account?.authUser = login
        }
        try ground.register()
        let subscription = try #require(ground.frames.last)
        #expect(subscription["method"] == "verto.subscribe")
        #expect(subscription["params"]?["eventChannel"] == "FSevent.message_waiting")
        func waiting(_ account: String, _ counts: String?, _ yes: String = "yes") -> [LineOutput] {
            var data: [String: JSONValue] = [
                "MWI-Message-Account": .string(account), "MWI-Messages-Waiting": .string(yes),
            ]
            data["MWI-Voice-Message"] = counts.map { .string($0) }
            ground.ask("event", ["eventChannel": "FSevent.message_waiting", "data": .object(data)])
            return ground.outputs.filter { if case .send = $0 { false } else { true } }
        }
        #expect(waiting("101@rtc.example", "2/3 (0/0)") == [.event(.messagesWaiting(.direct, 2))])
        #expect(waiting("101@RTC.example", "0/3", "no") == [.event(.messagesWaiting(.direct, 0))])
        #expect(waiting("101@rtc.example", nil) == [.event(.messagesWaiting(.direct, 1))])
        #expect(waiting("102@rtc.example", "9/0").isEmpty, "another account's")
        #expect(waiting("101@rtc.example", "many/0").isEmpty)
        var plain = try Ground(.freeSWITCH)
        try plain.register()
        #expect(!plain.frames.contains { $0["method"] == "verto.subscribe" }, "nobody asked for it")
    }

    @Test func watchedUsersFollowServerEvents() throws {
        var ground = try Ground(.freeSWITCH) { $0.watches = [.number("102"), .number("103@other.example")] }
        try ground.register()
        let subscription = try #require(ground.frames.last)
        #expect(subscription["method"] == "verto.subscribe")
        #expect(
            subscription["params"]?["eventChannel"] == ["presence.102@rtc.example", "presence.103@other.example"])
        func shown() -> [LineOutput] { ground.outputs.filter { if case .event(.watched) = $0 { true } else { false } } }
        try ground.answer([
            "subscribedChannels": ["presence.102@rtc.example"], "unauthorizedChannels": ["presence.103@other.example"],
        ])
        #expect(
            shown() == [.event(.watched(WatchedNumber("102", account: .direct), .idle))],
            "nothing is known of the other")
        func event(_ state: String, _ direction: String = "outbound", call: String = "c1") -> [LineOutput] {
            ground.ask(
                "event",
                [
                    "eventChannel": "presence.102@rtc.example",
                    "data": [
                        "channelCallState": .string(state), "channelUUID": .string(call),
                        "presenceCallDirection": .string(direction),
                    ],
                ])
            return shown()
        }
        #expect(event("RINGING") == [.event(.watched(WatchedNumber("102", account: .direct), .ringing))])
        #expect(event("EARLY").isEmpty)
        #expect(event("ACTIVE") == [.event(.watched(WatchedNumber("102", account: .direct), .busy))])
        #expect(event("HELD") == [.event(.watched(WatchedNumber("102", account: .direct), .held))])
        #expect(
            event("RINGING", "inbound", call: "c2") == [
                .event(.watched(WatchedNumber("102", account: .direct), .busy))
            ], "the user dials")
        #expect(event("HANGUP", call: "c2") == [.event(.watched(WatchedNumber("102", account: .direct), .held))])
        #expect(event("HANGUP") == [.event(.watched(WatchedNumber("102", account: .direct), .idle))])
        for call in 0..<100 { _ = event("ACTIVE", call: "many-\(call)") }
        #expect(event("HANGUP", call: "many-99").isEmpty)
        ground.lose()
        #expect(shown() == [.event(.watched(WatchedNumber("102", account: .direct), .unknown))])
    }

    // MARK: After a crash

    private func keptMemo(of ground: Ground) -> String? {
        ground.outputs.lazy.compactMap { if case .event(.memo(leg, let memo)) = $0 { memo } else { nil } }.first
    }

    /// A crashed process's call ends at the server, too, whenever its successor learns of it.
    @Test(arguments: [VertoDialect.telnyx, .freeSWITCH], [true, false])
    func callOfCrashedProcessIsEnded(dialect: VertoDialect, isEarly: Bool) throws {
        var before = try Ground(dialect)
        let call = try before.talk(leg)
        let memo = try #require(keptMemo(of: before))
        var after = try Ground(dialect)
        if isEarly {
            after.post(.command(.orphanBye(.direct, memo: memo)))
            try after.register()
        } else {
            try after.register()
            after.post(.command(.orphanBye(.direct, memo: memo)))
            // The server may look for the call in the session that has it.
            try after.comeBack()
        }
        let bye = try #require(after.frames.last)
        #expect(bye["method"]?.string == after.prefix + "bye" && bye["params"]?["dialogParams"]?["callID"] == call)
        #expect(bye["params"]?["cause"] == "NORMAL_UNSPECIFIED")
        // A server that reattaches the call gets the same again.
        let offer = after.far.offer(held: false, using: &after.generator)
        after.ask("attach", ["callID": call, "sdp": Ground.text(offer)])
        #expect(after.frames.last?["method"]?.string == after.prefix + "bye")
        #expect(!after.outputs.contains { if case .event(.offered) = $0 { true } else { false } })
    }

    @Test func unknownSessionTakesFormerName() throws {
        var before = try Ground(.freeSWITCH)
        _ = try before.talk(leg)
        let memo = try #require(keptMemo(of: before))
        var after = try Ground(.freeSWITCH)
        after.post(.command(.orphanBye(.direct, memo: memo)))
        after.post(.start)
        after.post(.located(Ground.server, [Ground.flow]))
        let name = try #require(after.frames.last?["params"]?["sessid"]?.string)
        #expect(memo.contains(name) && !memo.contains("secret"))
        for odd in ["", "verto 1 a", "verto 2 a b", "1 example.org\nBYE sip:x SIP/2.0", "verto 1 a b c"] {
            after.post(.command(.orphanBye(.direct, memo: odd)))
            #expect(after.outputs.isEmpty)
        }
    }

    // MARK: Causes

    @Test func causeIsReportedWithItsText() throws {
        for (params, end, words) in [
            (["cause": "NUMBER_CHANGED", "causeCode": 22], .rejected(410), "NUMBER_CHANGED (22)"),
            (["cause": "INVALID_NUMBER_FORMAT"], .rejected(484), "INVALID_NUMBER_FORMAT"),
            (
                ["cause": "SOLAR_FLARE", "causeCode": 999, "sipCode": 502, "sipReason": "Bad Gateway"], .rejected(502),
                "SOLAR_FLARE (999), SIP 502 Bad Gateway"
            ),
            (["causeCode": 999], .rejected(500), "cause 999"),
            (["cause": "USER_BUSY", "causeCode": 17], .busyThere, nil),
        ] as [([String: JSONValue], EndReason, String?)] {
            var ground = try Ground()
            try ground.register()
            let call = try ground.invite(leg).call
            ground.ask("bye", .object(params.merging(["callID": call]) { own, _ in own }))
            #expect(ground.outputs.contains(.event(.ended(leg, end))))
            let remarks = ground.outputs.compactMap { if case .remark(let text) = $0 { text } else { nil } }
            #expect(remarks == (words.map { ["the server ended the call with 102: \($0)"] } ?? []))
        }
    }

    // MARK: Other credentials

    @Test func newCredentialsBringNameAndNumber() throws {
        var ground = try Ground()
        try ground.register()
        let bert = AccountCredentials(
            user: "105", password: Redacted("pw"), callerName: "Bert", callerNumber: "+4930105")
        ground.post(.command(.reconfigure(.direct, bert)))
        #expect(ground.outputs.contains(.abandon(Ground.flow)), "it is another user's session")
        #expect(ground.outputs.contains(.locate(Ground.server, [])))
        ground.post(.located(Ground.server, [Ground.flow]))
        let login = try #require(ground.frames.last?["params"])
        #expect(login["login"] == "105" && login["passwd"] == "pw")
        try ground.answer(["message": "logged in", "sessid": try #require(login["sessid"])])
        ground.ask("clientReady", ["reattached_sessions": []])
        let asked = try #require(ground.frames.last { $0["method"] == "telnyx_rtc.gatewayState" }?["id"])
        ground.say(["jsonrpc": "2.0", "id": asked, "result": ["params": ["state": "REGED"]]])
        #expect(ground.outputs.contains(.event(.registration(.direct, .registered))))
        ground.post(.command(.dial(leg, target: "102", account: .direct, MediaEndpoint(port: 4_000))))
        let dialog = try #require(ground.frames.last?["params"]?["dialogParams"])
        #expect(dialog["caller_id_name"] == "Bert" && dialog["caller_id_number"] == "+4930105")
    }

    // MARK: A password in clear

    @Test(arguments: [
        ("203.0.113.9", false, false), ("203.0.113.9", true, true), ("127.0.0.1", false, true), ("::1", false, true),
        ("128.0.0.1", false, false),
    ])
    func clearPasswordWorksOnLoopbackOnly(host: String, isAllowed: Bool, isSent: Bool) throws {
        var ground = try Ground { $0.account?.allowsClearPassword = isAllowed }
        ground.post(.start)
        let clear = Flow(.ws, local: .init("192.0.2.1", 40_000), remote: .init(host, 80))
        ground.post(.located(Ground.server, [clear]))
        let bytes = ground.outputs.flatMap { output -> [UInt8] in
            if case .send(let bytes, _) = output { bytes } else { [] }
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("secret") == isSent)
        let failure = LineOutput.event(.registration(.direct, .failed(VertoFailure.passwordInClear.words)))
        #expect(ground.outputs.contains(failure) == !isSent)
        #expect(isSent || ground.line.deadline == nil, "it is reported once")
    }
}
