import Base
import JSON
import Testing
import VertoCore

@Suite struct CandidateTests {
    private static let ours = VertoCandidate("candidate:1 1 udp 1 192.0.2.1 5000 typ host", mid: "0", lineIndex: 0)

    private func trickling() throws -> (Line, VertoCallID) {
        var line = try Line.ready()
        let call = try #require(VertoCallID("out"))
        line.post(call, .invite(VertoInvitation("1", sdp: "o", isTrickled: true)))
        #expect(line.sent.last?["params"]?["trickle"] == true)
        return (line, call)
    }

    @Test func localCandidatesAreTrickled() throws {
        var (line, call) = try trickling()
        line.post(call, .candidate(Self.ours))
        line.post(call, .endOfCandidates)
        #expect(
            line.take("candidate")?["params"]?.without("sessid") == [
                "candidate": .string(Self.ours.candidate), "sdpMid": "0", "sdpMLineIndex": 0,
                "dialogParams": ["callID": "out"],
            ])
        #expect(
            line.take("endOfCandidates")?["params"]?.without("sessid") == ["dialogParams": ["callID": "out"]])
    }

    @Test func candidatesWaitForAnswer() throws {
        var line = try Line.ready()
        let call = try line.ring()
        for _ in 0..<(VertoLimits.candidates + 5) { line.post(call, .candidate(Self.ours)) }
        line.post(call, .endOfCandidates)
        #expect(line.sent.isEmpty)
        line.post(call, .answer(sdp: "a", isTrickled: true))
        #expect(line.asked.first == "telnyx_rtc.answer" && line.asked.last == "telnyx_rtc.endOfCandidates")
        #expect(line.asked.count == VertoLimits.candidates + 2)
    }

    @Test func plainDialectTricklesNothing() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .candidate(Self.ours))
        line.post(call, .answer(sdp: "a"))
        line.post(call, .candidate(Self.ours))
        #expect(line.asked == ["telnyx_rtc.answer"])
        // FreeSWITCH cannot.
        var other = try Line.ready(.freeSWITCH)
        let second = try #require(VertoCallID("out"))
        other.post(second, .invite(VertoInvitation("1", sdp: "o", isTrickled: true)))
        other.post(second, .candidate(Self.ours))
        #expect(other.asked == ["verto.invite"] && other.sent.last?["params"]?["trickle"] == nil)
    }

    @Test(
        arguments: [
            ["callID": "out"], ["dialogParams": ["callID": "out"]], ["dialogParams": ["callId": "out"]],
            ["callId": "out"],
        ] as [JSONValue])
    func remoteCandidatesAreReported(_ place: JSONValue) throws {
        var (line, call) = try trickling()
        guard case .object(var params) = place else { return }
        params["candidate"] = "candidate:2 1 udp 1 198.51.100.1 6000 typ srflx"
        params["sdpMid"] = "0"
        params["sdpMLineIndex"] = 0
        line.server("candidate", .object(params))
        line.server("endOfCandidates", place)
        #expect(
            line.told(call) == [
                .candidate(
                    VertoCandidate("candidate:2 1 udp 1 198.51.100.1 6000 typ srflx", mid: "0", lineIndex: 0)),
                .endOfCandidates,
            ])
    }

    @Test func remoteCandidatesAreBounded() throws {
        var (line, call) = try trickling()
        for _ in 0..<500 { line.server("candidate", ["callID": "out", "candidate": "c"]) }
        #expect(line.told(call).count == VertoLimits.candidates)
        #expect(line.session.census[.tooManyCandidates] == 500 - VertoLimits.candidates)
    }

    @Test func candidatesOfLostConnectionAreDropped() throws {
        var line = try Line.ready()
        let call = try line.talk()
        try line.loseAndReturn(reattached: [call])
        line.server("candidate", ["callID": "out", "candidate": "c"])
        #expect(line.told(call) == [.recovering] && line.session.census[.wrongPhase] == 1)
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.server("candidate", ["callID": "out", "candidate": "c"])
        #expect(line.told(call).last == .candidate(VertoCandidate("c", mid: nil, lineIndex: nil)))
    }

    @Test func invalidCandidatesAreDropped() throws {
        var (line, call) = try trickling()
        let bad: [JSONValue] = [nil, 5, "a\r\nb", .string(String(repeating: "c", count: 513))]
        for candidate in bad { line.server("candidate", ["callID": "out", "candidate": candidate]) }
        #expect(line.told(call).isEmpty && line.session.census[.badCandidate] == 4)
        line.server("candidate", ["callID": "out", "candidate": "c", "sdpMid": 5, "sdpMLineIndex": -1])
        #expect(line.told(call) == [.candidate(VertoCandidate("c", mid: nil, lineIndex: nil))])
    }

    // MARK: ICE restart

    @Test func restartAnswerComesInResult() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .updateMedia(sdp: "new offer"))
        let modify = try line.request("modify")
        #expect(
            modify["params"]?.without("sessid") == [
                "action": "updateMedia", "sdp": "new offer", "callID": "out", "dialogParams": ["callID": "out"],
            ])
        line.receive([
            "id": modify["id"] ?? nil, "result": ["action": "updateMedia", "callID": "out", "sdp": "new answer"],
        ])
        #expect(line.told(call) == [.mediaUpdated(sdp: "new answer")])
    }

    @Test func failedRestartIsReported() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .updateMedia(sdp: "o"))
        try line.answer("modify", ["action": "updateMedia"])
        line.post(call, .updateMedia(sdp: "o"))
        try line.refuse("modify", ["code": -32_002, "message": "no"])
        line.post(call, .updateMedia(sdp: "o"))
        line.run(for: .seconds(1))
        line.server("event", [:])
        line.run(for: VertoTiming.requestLimit - .seconds(1))
        #expect(line.told(call) == [.mediaUpdateFailed, .mediaUpdateFailed, .mediaUpdateFailed])
    }

    /// The request was not refused: the connection is dead, and the call is reattached over the next one.
    @Test func restartOnDeadConnectionIsNoFailure() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.run(for: .seconds(1))
        line.post(call, .updateMedia(sdp: "o"))
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(call) == [.recovering])
        try line.runUntilConnecting()
        try line.logIn(reattached: [call])
        line.server("attach", ["callID": "out", "sdp": "o"])
        line.post(call, .attachAnswer(sdp: "a"))
        try line.answer("attach")
        #expect(line.told(call) == [.recovering, .attachOffered(sdp: "o"), .reattached])
    }

    @Test func secondRestartReplacesFirst() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .updateMedia(sdp: "one"))
        let first = try line.request("modify")
        line.post(call, .updateMedia(sdp: "two"))
        line.receive(["id": first["id"] ?? nil, "result": ["sdp": "answer to one"]])
        try line.answer("modify", ["sdp": "answer to two"])
        #expect(line.told(call) == [.mediaUpdated(sdp: "answer to two")])
    }

    @Test func endedCallReportsNothing() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .updateMedia(sdp: "o"))
        line.server("bye", ["callID": "out", "cause": "NORMAL_CLEARING"])
        line.clear()
        line.run(for: VertoTiming.requestLimit + .seconds(1))
        #expect(line.told(call).isEmpty)
    }
}
