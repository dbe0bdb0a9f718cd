import Base
import JSON
import Telephony
import Testing
import VertoCore

@Suite struct OutgoingCallTests {
    private static let call = VertoCallID("5a2c4b1e-0000-4000-8000-000000000001")

    private func inviting(_ dialect: VertoDialect = .telnyx) throws -> (Line, VertoCallID) {
        var line = try Line.ready(dialect)
        let call = try #require(Self.call)
        let header = try #require(CallHeader("X-Desk", "7"))
        line.post(
            call,
            .invite(
                VertoInvitation(
                    "+49301234", sdp: "v=0\r\n", caller: VertoParty(name: "Desk", number: "+4930555"),
                    headers: [header])))
        return (line, call)
    }

    @Test func telnyxInviteHasItsFields() throws {
        var (line, call) = try inviting()
        let invite = try line.request("invite")
        #expect(invite["params"]?["sessid"]?.string?.isEmpty == false)
        #expect(invite["method"] == "telnyx_rtc.invite" && invite["jsonrpc"] == "2.0")
        #expect(
            invite["params"]?.without("sessid") == [
                "sdp": "v=0\r\n", "User-Agent": "Offhook/1",
                "dialogParams": [
                    "callID": .string(call.rawValue), "destination_number": "+49301234", "caller_id_name": "Desk",
                    "caller_id_number": "+4930555", "audio": true, "video": false, "useStereo": false,
                    "attach": false, "screenShare": false, "custom_headers": [["name": "X-Desk", "value": "7"]],
                ],
            ])
    }

    @Test func freeSWITCHInviteHasItsFields() throws {
        var (line, _) = try inviting(.freeSWITCH)
        let invite = try line.request("invite")
        let dialog = try #require(invite["params"]?["dialogParams"])
        #expect(invite["method"] == "verto.invite" && invite["params"]?["User-Agent"] == nil)
        #expect(dialog["userVariables"] == ["X-Desk": "7"] && dialog["custom_headers"] == nil)
    }

    @Test func callRunsFromInviteToBye() throws {
        var (line, call) = try inviting()
        try line.answer("invite", ["callID": .string(call.rawValue), "message": "CALL CREATED", "sessid": "s"])
        let id = JSONValue.string(call.rawValue)
        line.server(
            "ringing",
            [
                "callID": id, "callee_id_name": "Bob", "callee_id_number": "+49301234", "caller_id_name": "Desk",
                "caller_id_number": "+4930555", "dialogParams": ["custom_headers": []], "display_direction": "inbound",
                "telnyx_leg_id": "leg", "telnyx_session_id": "ses",
            ])
        line.server("media", ["callID": id, "sdp": "v=0 early", "dialogParams": [:], "variables": [:]])
        line.server("answer", ["callID": id, "dialogParams": [:], "variables": [:]])
        line.server("display", ["callID": id, "display_name": "Bob\u{1B}[2J", "display_number": "+49"])
        line.server(
            "bye",
            ["callID": id, "cause": "NORMAL_CLEARING", "causeCode": 16, "sipCode": 200, "sipReason": "OK"], id: "b-9")
        #expect(
            line.told(call) == [
                .created,
                .ringing(
                    callee: VertoParty(name: "Bob", number: "+49301234"),
                    VertoReferences(session: "ses", leg: "leg")),
                .earlyMedia(sdp: "v=0 early"), .answered(sdp: nil),
                .display(VertoParty(name: "Bob[2J", number: "+49")),
                .ended(VertoEnd(.hungUp, cause: "NORMAL_CLEARING", code: 16, sipCode: 200, sipReason: "OK")),
            ])
        // Each was acknowledged with its own id and method, and no bye was returned.
        #expect(line.sent.last == ["jsonrpc": "2.0", "id": "b-9", "result": ["method": "telnyx_rtc.bye"]])
        #expect(line.sent.count == 5 && line.asked.isEmpty && line.session.callIDs.isEmpty)
    }

    @Test func answerWithoutMediaUsesEarlierDescription() throws {
        var (line, call) = try inviting(.freeSWITCH)
        // FreeSWITCH sends nothing more until the answer, not even the call's creation.
        line.server("answer", ["callID": .string(call.rawValue), "sdp": "v=0"])
        try line.answer("invite", ["message": "CALL CREATED"])
        #expect(line.told(call) == [.answered(sdp: "v=0")])
    }

    @Test func answerWithoutAnyDescriptionEndsCall() throws {
        var (line, call) = try inviting()
        line.server("answer", ["callID": .string(call.rawValue)])
        #expect(
            line.told(call) == [.ended(VertoEnd(.incompatible, cause: "INCOMPATIBLE_DESTINATION", code: 88))])
        #expect(line.take("bye")?["params"]?["causeCode"] == 88 && line.session.census[.noDescription] == 1)
    }

    @Test func repeatedMessagesAreDropped() throws {
        var (line, call) = try inviting()
        let id = JSONValue.string(call.rawValue)
        for method in ["ringing", "ringing", "media", "media", "answer", "answer", "media", "ringing"] {
            line.server(method, ["callID": id, "sdp": "v=0"])
        }
        #expect(line.told(call).count == 3)
        #expect(line.session.census[.repeated] == 3 && line.session.census[.wrongPhase] == 2)
    }

    static let refusals: [(JSONValue, VertoEndReason)] = [
        (["message": "CALL ERROR", "code": -32_002, "cause": "USER_BUSY", "causeCode": 17], .busy),
        (["message": "CALL ERROR", "code": -32_002, "data": ["causeCode": 1]], .notFound),
        (["message": "GATEWAY_DOWN", "code": -32_002], .congestion),
        (["message": "something else", "code": "?"], .failed), ([:], .failed),
    ]

    @Test(arguments: refusals)
    func refusedInviteEndsCall(_ error: JSONValue, _ reason: VertoEndReason) throws {
        var (line, call) = try inviting()
        try line.refuse("invite", error)
        guard case .ended(let end)? = line.told(call).last else {
            Issue.record("it did not end")
            return
        }
        #expect(end.reason == reason && line.asked.isEmpty)
    }

    @Test func unansweredInviteIsAbandoned() throws {
        var (line, call) = try inviting()
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(call).last == .ended(VertoEnd(.noResponse, cause: "RECOVERY_ON_TIMER_EXPIRE", code: 102)))
        #expect(line.take("bye") != nil)
        // A server that stops sending is pinged.
        #expect(line.take("ping") != nil)
    }

    @Test func ringingCallNeedsNoInviteResponse() throws {
        var (line, call) = try inviting()
        line.server("ringing", ["callID": .string(call.rawValue)])
        line.run(for: VertoTiming.requestLimit + .seconds(1))
        #expect(line.session.callIDs == [call])
    }

    @Test func byesHaveSDKCauses() throws {
        var (line, call) = try inviting()
        line.post(call, .bye())
        #expect(
            line.take("bye")?["params"]?.without("sessid") == [
                "cause": "USER_BUSY", "causeCode": 17, "dialogParams": ["callID": .string(call.rawValue)],
            ])
        #expect(line.told(call) == [.ended(VertoEnd(.here, cause: "USER_BUSY", code: 17))])
        let other = try line.talk()
        line.post(other, .bye())
        #expect(line.take("bye")?["params"]?["cause"] == "NORMAL_CLEARING")
        let third = try line.talk("third")
        line.post(third, .bye(.mediaTimeout))
        #expect(line.take("bye")?["params"]?["causeCode"] == 804)
        // The far end's bye crossed ours.
        line.server("bye", ["callID": "third", "cause": "NORMAL_CLEARING"])
        #expect(line.session.census[.endedCall] == 1 && line.sent.last?["result"] != nil)
    }

    @Test func parallelCallsAreLimited() throws {
        var line = try Line.ready()
        for number in 0..<VertoLimits.calls { _ = try line.talk("call \(number)".replacing(" ", with: "-")) }
        let more = try #require(VertoCallID("more"))
        line.post(more, .invite(VertoInvitation("1", sdp: "o")))
        #expect(line.told(more) == [.ended(VertoEnd(.notReady))] && line.asked.isEmpty)
        line.server("bye", ["callID": "call-3", "cause": "USER_BUSY"])
        #expect(line.session.callIDs.count == VertoLimits.calls - 1)
    }
}
