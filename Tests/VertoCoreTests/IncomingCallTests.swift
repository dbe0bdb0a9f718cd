import Base
import JSON
import Telephony
import Testing
import VertoCore

@Suite struct IncomingCallTests {
    /// An `invite` in Telnyx's form (fact sheet §1.4).
    private static let invite: JSONValue = [
        "callID": "c1", "sdp": "v=0 offer", "caller_id_name": "Ann\u{202E}", "caller_id_number": "+4940",
        "callee_id_name": "Bob", "callee_id_number": "alice", "display_direction": "outbound",
        "telnyx_session_id": "ses", "telnyx_leg_id": "leg", "telnyx_call_control_id": "ctl", "client_state": "aGk=",
        "dialogParams": ["custom_headers": [["name": "X-Queue", "value": "sales"]]], "variables": [:],
        "mediaSettings": [:],
    ]

    @Test func telnyxInviteIsReportedAndAnswered() throws {
        var line = try Line.ready()
        let call = try #require(VertoCallID("c1"))
        line.server("invite", Self.invite, id: 7)
        let header = try #require(CallHeader("X-Queue", "sales"))
        #expect(
            line.told(call) == [
                .incoming(
                    VertoIncomingCall(
                        sdp: "v=0 offer", caller: VertoParty(name: "Ann", number: "+4940"),
                        callee: VertoParty(name: "Bob", number: "alice"),
                        references: VertoReferences(session: "ses", leg: "leg", control: "ctl"), headers: [header],
                        clientState: "aGk="))
            ])
        #expect(line.sent == [["jsonrpc": "2.0", "id": 7, "result": ["method": "telnyx_rtc.invite"]]])
        line.post(call, .answer(sdp: "v=0 answer"))
        let answer = try line.request("answer")
        #expect(
            answer.without("id")["params"]?.without("sessid") == [
                "sdp": "v=0 answer", "User-Agent": "Offhook/1", "dialogParams": ["callID": "c1"],
            ])
        #expect(line.told(call).count == 1)
        line.receive(["jsonrpc": "2.0", "id": answer["id"] ?? nil, "result": ["callID": "c1"]])
        #expect(line.told(call).last == .connected)
    }

    @Test func freeSWITCHHeadersAreRead() throws {
        var line = try Line.ready(.freeSWITCH)
        let call = try #require(VertoCallID("c1"))
        line.server(
            "invite",
            [
                "callID": "c1", "sdp": "o", "verto_h_X-Queue": "sales", "verto_h_Via": "1", "verto_h_X-Number": 5,
                "verto_h_X-Lines": "a\r\nb",
            ])
        guard case .incoming(let offer)? = line.told(call).last else {
            Issue.record("no call")
            return
        }
        #expect(offer.headers.map(\.name) == ["X-Queue"] && line.session.census[.badHeader] == 3)
    }

    @Test func headersAreBounded() throws {
        var line = try Line.ready()
        let call = try #require(VertoCallID("c1"))
        let headers = (0..<500).map { JSONValue(dictionaryLiteral: ("name", .string("X-\($0)")), ("value", "v")) }
        line.server("invite", ["callID": "c1", "sdp": "o", "dialogParams": ["custom_headers": .array(headers)]])
        guard case .incoming(let offer)? = line.told(call).last else {
            Issue.record("no call")
            return
        }
        #expect(offer.headers.count == VertoLimits.headers && line.session.census[.tooManyHeaders] == 1)
    }

    @Test func onlyValidHeadersCount() {
        #expect(CallHeader("X-Desk", "7") != nil && CallHeader("x-desk", "") != nil)
        for name in ["Desk", "X-", "X-a b", "X-a:", "X-ä", "X-" + String(repeating: "a", count: 100)] {
            #expect(CallHeader(name, "7") == nil, "\(name)")
        }
        #expect(CallHeader("X-A", "a\r\nVia: b") == nil)
        #expect(CallHeader("X-A", String(repeating: "a", count: 513)) == nil)
    }

    @Test(arguments: [VertoCause.userBusy, .callRejected, .noAnswer])
    func refusalSendsCause(_ cause: VertoCause) throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .bye(cause))
        let bye = try line.request("bye")
        #expect(bye["params"]?["cause"] == .string(cause.name))
        #expect(bye["params"]?["causeCode"] == .integer(Int64(cause.code)))
        #expect(line.told(call) == [.ended(VertoEnd(.here, cause: cause.name, code: cause.code))])
        // A delayed invite is not a new call.
        line.clear()
        line.server("invite", ["callID": "in", "sdp": "o"])
        #expect(line.told(call).isEmpty && line.take("bye") != nil && line.session.census[.endedCall] == 1)
    }

    @Test func cancelledCallEnds() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.server("bye", ["callID": "in", "cause": "ORIGINATOR_CANCEL", "causeCode": 487])
        #expect(line.told(call) == [.ended(VertoEnd(.cancelled, cause: "ORIGINATOR_CANCEL", code: 487))])
        line.post(call, .answer(sdp: "late"))
        #expect(line.asked.isEmpty)
    }

    @Test func incomingCallsAreLimited() throws {
        var line = try Line.ready()
        for number in 0..<VertoLimits.calls { _ = try line.ring("c\(number)") }
        let more = try #require(VertoCallID("more"))
        line.server("invite", ["callID": "more", "sdp": "o", "caller_id_number": "+1"])
        guard case .turnedAway(let offer)? = line.told(more).last else {
            Issue.record("it was not reported")
            return
        }
        #expect(offer.caller.number == "+1" && line.take("bye")?["params"]?["cause"] == "USER_BUSY")
        #expect(line.session.callIDs.count == VertoLimits.calls && line.session.census[.noRoom] == 1)
    }

    @Test func inviteWithoutOfferIsRefused() throws {
        var line = try Line.ready()
        for sdp in [JSONValue.null, "", 5, ["v=0"]] { line.server("invite", ["callID": "c1", "sdp": sdp]) }
        #expect(line.session.callIDs.isEmpty && line.session.census[.noDescription] == 4)
        #expect(line.take("bye")?["params"]?["cause"] == "INCOMPATIBLE_DESTINATION")
    }

    @Test func repeatedInviteIsNoNewCall() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.server("invite", ["callID": "in", "sdp": "another"])
        #expect(line.told(call).isEmpty && line.session.census[.duplicateCall] == 1 && line.asked.isEmpty)
    }

    @Test func refusedOrUnheardAnswerEndsCall() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .answer(sdp: "a"))
        try line.refuse("answer", ["code": -32_002, "message": "CALL DOES NOT EXIST"])
        #expect(line.told(call) == [.ended(VertoEnd(.failed, cause: "CALL DOES NOT EXIST"))])
        let other = try line.ring("other")
        line.post(other, .answer(sdp: "a"))
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(other).last == .ended(VertoEnd(.noResponse, cause: "RECOVERY_ON_TIMER_EXPIRE", code: 102)))
        #expect(line.take("bye") != nil)
    }

    /// Another phone answered a moment earlier.
    @Test func pickedOffDuringAnswerEndsCall() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .answer(sdp: "a"))
        line.server("bye", ["callID": "in", "cause": "PICKED_OFF", "causeCode": 805])
        #expect(line.told(call) == [.ended(VertoEnd(.answeredElsewhere, cause: "PICKED_OFF", code: 805))])
    }
}
