import Base
import JSON
import Testing
import VertoCore

/// Frames of other JSON-RPC libraries and of scripts, with a clear meaning.
@Suite struct OddFrameTests {
    /// Libraries of JSON-RPC 1.0 write both members, and one of them is null.
    @Test func nullErrorBesideResultIsSuccess() throws {
        for isSwapped in [false, true] {
            var line = try Line.ready()
            let call = try #require(VertoCallID("out"))
            line.post(call, .invite(VertoInvitation("+4930123", sdp: "offer")))
            let id = try #require(line.request("invite")["id"])
            line.receive(
                isSwapped
                    ? ["id": id, "error": ["code": -32_002, "message": "USER_BUSY"], "result": nil]
                    : ["jsonrpc": "2.0", "id": id, "method": nil, "error": nil, "result": ["message": "CALL CREATED"]])
            if isSwapped {
                guard case .ended(let end)? = line.told(call).last else { throw Missing() }
                #expect(end.reason == .busy)
            } else {
                #expect(line.told(call) == [.created])
            }
        }
    }

    private struct Missing: Error {}

    /// A dial plan may write a number without quotes.
    @Test func numberMayBeWrittenAsNumber() throws {
        var line = try Line.ready(.freeSWITCH)
        line.server("invite", ["callID": "in", "sdp": "o", "caller_id_number": 1_000, "caller_id_name": 42])
        guard case .incoming(let offer)? = line.told(try #require(VertoCallID("in"))).last else { throw Missing() }
        #expect(offer.caller.number == "1000" && offer.caller.name == "42" && offer.caller.isNumberWhole)
        line.server("display", ["callID": "in", "display_number": 2_000, "display_name": ""])
        guard case .display(let party)? = line.told(try #require(VertoCallID("in"))).last else { throw Missing() }
        #expect(party.number == "2000" && party.name == nil)
    }

    @Test(arguments: ["user_busy", "User_Busy", "USER BUSY"])
    func causeIsReadInAnyCase(_ cause: String) throws {
        var line = try Line.ready()
        let call = try line.talk("c")
        line.server("bye", ["callID": "c", "cause": .string(cause)])
        guard case .ended(let end)? = line.told(call).last else { throw Missing() }
        #expect(end.reason == .busy && end.cause == cause)
    }

    @Test(arguments: [" ", "\r\n", "\t"])
    func frameMayBeginWithSpace(_ space: String) throws {
        var line = try Line.ready()
        let call = try line.talk("c")
        line.receive(space + #"{"method":"telnyx_rtc.bye","params":{"callID":"c","causeCode":"16"}}"# + space)
        #expect(line.told(call).count == 1 && line.session.callIDs.isEmpty)
    }

    @Test func nestedNamesOfCallsAreFound() throws {
        for params in [
            ["dialogParams": ["callID": "c"]], ["dialogParams": ["callId": "c"]], ["callId": "c"],
            ["callID": "c", "dialogParams": nil], ["dialogParams": ["callID": "c"], "callID": 5],
        ] as [JSONValue] {
            var line = try Line.ready()
            _ = try line.talk("c")
            line.server("bye", params)
            #expect(line.session.callIDs.isEmpty)
        }
    }

    /// The result of an invitation may come after the messages that follow from it.
    @Test func messagesOvertakeResult() throws {
        for methods in [["ringing"], ["media"], ["media", "answer"], ["answer"], ["ringing", "answer"]] {
            var line = try Line.ready()
            let call = try #require(VertoCallID("out"))
            line.post(call, .invite(VertoInvitation("+4930123", sdp: "offer")))
            for method in methods { line.server(method, ["callID": "out", "sdp": "s"]) }
            let told = line.told(call).count
            try line.answer("invite", ["message": "CALL CREATED", "callID": "out"])
            #expect(line.session.callIDs == [call] && line.told(call).count == told)
            line.server("bye", ["callID": "out"])
            #expect(line.session.callIDs.isEmpty)
        }
    }
}
