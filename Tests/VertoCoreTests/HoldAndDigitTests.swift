import Base
import JSON
import Telephony
import Testing
import VertoCore

@Suite struct HoldAndDigitTests {
    @Test func holdWaitsForServer() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .hold(true))
        #expect(line.told(call).isEmpty)
        let modify = try line.request("modify")
        #expect(
            modify["params"]?.without("sessid") == ["action": "hold", "dialogParams": ["callID": "out"]])
        line.receive([
            "id": modify["id"] ?? nil, "result": ["callID": "out", "action": "hold", "holdState": "held"],
        ])
        #expect(line.told(call) == [.held(true)])
        line.post(call, .hold(true))
        #expect(line.told(call) == [.held(true), .held(true)] && line.asked.isEmpty)
        for word in ["unheld", "active"] {
            line.post(call, .hold(false))
            try line.answer("modify", ["holdState": .string(word)])
            #expect(line.told(call).last == .held(false))
            line.post(call, .hold(true))
            try line.answer("modify", ["holdState": "held"])
        }
    }

    @Test func lastHoldRequestCounts() throws {
        var line = try Line.ready()
        let call = try line.talk()
        for wish in [true, false, true, false] { line.post(call, .hold(wish)) }
        #expect(line.asked == ["telnyx_rtc.modify"])
        try line.answer("modify", ["holdState": "held"])
        #expect(line.told(call).isEmpty)
        #expect(line.sent.last?["params"]?["action"] == "unhold")
        try line.answer("modify", ["holdState": "active"])
        #expect(line.told(call) == [.held(false)])
        // A withdrawn request is not sent.
        for wish in [true, false, true] { line.post(call, .hold(wish)) }
        try line.answer("modify", ["holdState": "held"])
        #expect(line.told(call) == [.held(false), .held(true)] && line.asked.isEmpty)
    }

    @Test func failedHoldIsReported() throws {
        var line = try Line.ready()
        let call = try line.talk()
        line.post(call, .hold(true))
        try line.refuse("modify", ["code": -32_002, "message": "no"])
        line.post(call, .hold(true))
        try line.answer("modify", ["holdState": 5])
        line.post(call, .hold(true))
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(call) == [.holdFailed, .holdFailed, .holdFailed] && line.session.census[.badResult] == 1)
        // A late response is still valid, but no request waits for it.
        try line.answer("modify", ["holdState": "held"])
        #expect(line.told(call).count == 3)
    }

    @Test func inactiveCallCannotBeHeld() throws {
        var line = try Line.ready()
        let call = try line.ring()
        line.post(call, .hold(true))
        line.post(call, .updateMedia(sdp: "o"))
        #expect(line.told(call) == [.holdFailed, .mediaUpdateFailed])
    }

    // MARK: Digits

    @Test func digitsAreSentOneByOne() throws {
        var line = try Line.ready()
        let call = try line.talk()
        let digits = [DTMFSymbol.five, .star, .pound, .d]
        for digit in digits { line.post(call, .dtmf(digit)) }
        #expect(line.asked == ["telnyx_rtc.info"])
        #expect(
            line.sent.last?["params"]?.without("sessid") == ["dtmf": "5", "dialogParams": ["callID": "out"]])
        var words: [String] = []
        for _ in digits {
            let request = try line.request("info")
            words.append(request["params"]?["dtmf"]?.string ?? "")
            line.receive(["id": request["id"] ?? nil, "result": ["message": "SENT"]])
        }
        #expect(words == ["5", "*", "#", "D"] && line.asked.isEmpty)
        #expect(line.told(call) == digits.map { .dtmfSent($0) })
    }

    @Test func failedDigitDropsRest() throws {
        var line = try Line.ready()
        let call = try line.talk()
        for digit in [DTMFSymbol.one, .two] { line.post(call, .dtmf(digit)) }
        try line.refuse("info", ["code": -32_002, "message": "no"])
        #expect(line.told(call) == [.dtmfFailed] && line.asked.isEmpty)
        line.post(call, .dtmf(.three))
        line.run(for: VertoTiming.requestLimit)
        #expect(line.told(call) == [.dtmfFailed, .dtmfFailed])
        line.post(call, .dtmf(.four))
        try line.answer("info", ["message": "SENT"])
        #expect(line.told(call).last == .dtmfSent(.four))
    }

    @Test func digitQueueIsBounded() throws {
        var line = try Line.ready()
        let call = try line.talk()
        for _ in 0..<(VertoLimits.digits + 3) { line.post(call, .dtmf(.one)) }
        #expect(line.told(call) == [.dtmfFailed, .dtmfFailed, .dtmfFailed])
    }

    @Test func earlyMediaTakesDigits() throws {
        var line = try Line.ready()
        let call = try #require(VertoCallID("out"))
        line.post(call, .invite(VertoInvitation("1", sdp: "o")))
        line.post(call, .dtmf(.one))
        #expect(line.told(call) == [.dtmfFailed])
        line.server("media", ["callID": "out", "sdp": "early"])
        line.post(call, .dtmf(.one))
        try line.answer("info")
        #expect(line.told(call).last == .dtmfSent(.one))
    }
}
