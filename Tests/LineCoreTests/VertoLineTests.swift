import Base
import ICECore
import JSON
import LineCore
import SDPCore
import Testing
import VertoCore

/// An account at a Verto server: sessions and calls of its line, with descriptions of media.
@Suite struct VertoLineTests {
    private typealias Ground = VertoGround

    private let leg = CallID(.phone, 1)

    @Test func dialledCallUsesDTLSAndICE() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        let agreed = try #require(ground.agreed(leg))
        #expect(agreed.dtls != nil && agreed.ice?.isControlling == true)
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        #expect(ground.outputs.contains(.event(.ended(leg, .hungUpThere))))
    }

    @Test func callMayHaveOtherCallerAndHeaders() throws {
        let shown = CallPresentation(
            callerName: "Front desk", callerNumber: "+4930", headers: [CallHeader("X-Ticket", "7")].compactMap(\.self))
        for (presentation, name, number) in [(shown, "Front desk", "+4930"), (CallPresentation(), nil, "101")] {
            var ground = try Ground()
            try ground.register()
            ground.post(
                .command(
                    .dial(leg, target: "102", account: .direct, MediaEndpoint(port: 4_000), presentation: presentation))
            )
            let dialog = try #require(ground.frames.last?["params"]?["dialogParams"])
            #expect(dialog["caller_id_name"]?.string == name && dialog["caller_id_number"]?.string == number)
            #expect(dialog["custom_headers"]?.array?.first?["value"]?.string == presentation.headers.first?.value)
        }
    }

    @Test func earlyMediaServesAsAnswer() throws {
        var ground = try Ground()
        try ground.register()
        let (call, offer) = try ground.invite(leg)
        let early = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        ground.ask("media", ["callID": call, "sdp": .string(String(decoding: early.bytes, as: UTF8.self))])
        #expect(ground.outputs.contains { if case .event(.earlyMedia(leg, _)) = $0 { true } else { false } })
        ground.ask("answer", ["callID": call])
        #expect(ground.agreed(leg)?.dtls != nil)
    }

    @Test func incomingCallIsOfferedAnsweredAndHungUp() throws {
        var ground = try Ground()
        try ground.register()
        let offer = ground.far.offer(held: false, using: &ground.generator)
        ground.ask(
            "invite",
            [
                "callID": "c1", "sdp": .string(String(decoding: offer.bytes, as: UTF8.self)),
                "caller_id_number": "5550100", "caller_id_name": "Ada",
                "dialogParams": ["custom_headers": [["name": "X-Ticket", "value": "7"]]],
            ])
        let offered = ground.outputs.lazy.compactMap { output -> (CallID, Caller)? in
            if case .event(.offered(let leg, let caller)) = output { (leg, caller) } else { nil }
        }.first
        let (leg, caller) = try #require(offered)
        #expect(caller.number == "5550100" && caller.displayName == "Ada" && caller.vouched == nil)
        #expect(caller.headers == [CallHeader("X-Ticket", "7")].compactMap(\.self))
        let ice = try Ground.candidates("a", 4_000)
        ground.post(.command(.answer(leg, MediaEndpoint(port: 4_000, ice: ice), awaitingACK: false)))
        let sdp = try #require(ground.frames.last?["params"]?["sdp"]?.string)
        #expect(ground.agreed(leg) == nil, "the server does not know yet")
        try ground.answer(["callID": "c1"])
        let theirs = try ground.far.conclude(SessionDescription(parsing: Array(sdp.utf8)))
        #expect(ground.agreed(leg)?.ice?.remote == theirs.media.ice?.local)
        ground.post(.command(.end(leg)))
        #expect(ground.frames.last?["method"] == "telnyx_rtc.bye")
        #expect(ground.outputs.contains(.event(.ended(leg, .hungUpHere))))
    }

    @Test func serverHoldStopsSending() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["callID": call, "action": "hold", "holdState": "held"])
        let held = ground.outputs.lazy.compactMap {
            if case .event(.holdSettled(_, let agreed)) = $0 { agreed } else { nil }
        }
        .first
        #expect(held?.direction == .inactive)
        ground.post(.command(.hold(leg, false)))
        try ground.answer(["callID": call, "action": "unhold", "holdState": "active"])
        let back = ground.outputs.lazy.compactMap {
            if case .event(.holdSettled(_, let agreed)) = $0 { agreed } else { nil }
        }
        .first
        #expect(back?.direction == .sendrecv)
    }

    /// At another address, its candidates go to the server, which answers with its own.
    @Test func moveUpdatesMedia() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        ground.post(.command(.move(leg, MediaEndpoint(port: 4_000, ice: try Ground.candidates("z", 4_000)))))
        let params = try #require(ground.frames.last?["params"])
        #expect(params["action"] == "updateMedia")
        let offer = try SessionDescription(parsing: Array(try #require(params["sdp"]?.string).utf8))
        let answer = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(
            [
                "callID": call, "action": "updateMedia",
                "sdp": .string(String(decoding: answer.bytes, as: UTF8.self)),
            ])
        let moved = ground.outputs.lazy.compactMap {
            if case .event(.moved(_, let agreed)) = $0 { agreed } else { nil }
        }.first
        #expect(moved?.ice?.local.userFragment == "zzzz")
        #expect(moved?.ice?.remote.userFragment != "ffff", "both began another session")
    }

    @Test(arguments: [("USER_BUSY", 17, EndReason.busyThere), ("UNALLOCATED_NUMBER", 1, .rejected(404))])
    func causeBecomesReason(cause: (String, Int64, EndReason)) throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.invite(leg).call
        ground.ask("bye", ["callID": call, "cause": .string(cause.0), "causeCode": .integer(cause.1)])
        let told = ServerEnd(cause: cause.0, code: Int(cause.1), text: nil)
        #expect(ground.outputs.suffix(2) == [.event(.endTold(leg, told)), .event(.ended(leg, cause.2))])
    }

    // MARK: The far end's identity

    private func display(_ party: [String: JSONValue], _ call: JSONValue, _ ground: inout Ground) -> [LineOutput] {
        ground.ask("display", .object(party.merging(["callID": call]) { own, _ in own }))
        return ground.outputs.filter { if case .send = $0 { false } else { true } }
    }

    @Test func changedPartyIsReported() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        #expect(
            display(["display_name": "Ada", "display_number": "5550100"], call, &ground)
                == [.event(.displayUpdated(leg, name: "Ada", number: "5550100"))])
        #expect(
            display(["display_number": "5550100"], call, &ground)
                == [.event(.displayUpdated(leg, name: nil, number: "5550100"))])
        #expect(display(["display_name": "", "display_number": true], call, &ground).isEmpty)
        #expect(display(["display_name": "Ada"], "another", &ground).isEmpty)
        // FreeSWITCH has a placeholder for an empty name.
        #expect(display(["display_name": "Outbound Call"], call, &ground).isEmpty)
    }

    @Test func partyIsShownCleanAndBounded() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        let long = String(repeating: "7", count: 1_000)
        let name = JSONValue.string("\u{202E}A\r\n" + long)
        guard
            case .event(.displayUpdated(_, let name?, let number?, _))? = display(
                ["display_name": name, "display_number": .string(long)], call, &ground
            ).first
        else {
            Issue.record("nothing is shown")
            return
        }
        #expect(name.hasPrefix("A7") && name.utf8.count == Caller.nameLimit)
        #expect(number.utf8.count == Caller.numberLimit)
    }

    /// Beyond its limit the session refuses calls, and reports the first of many.
    @Test func callWithoutRoomIsReportedAsRefused() throws {
        var ground = try Ground()
        try ground.register()
        let offer = ground.far.offer(held: false, using: &ground.generator)
        var refused: [Caller] = []
        for number in 1...(VertoLimits.calls + 30) {
            ground.ask(
                "invite",
                [
                    "callID": .string("c\(number)"), "sdp": Ground.text(offer),
                    "caller_id_number": .string("\(5_550_100 + number)"),
                ])
            for output in ground.outputs {
                if case .event(.refused(let caller, _, because: .noRoom)) = output { refused.append(caller) }
            }
        }
        #expect(refused.first?.number == "5550109")
        #expect((10...11).contains(refused.count), "\(refused.count)")
    }

    @Test func unsupportedActionFailsWithReason() throws {
        var ground = try Ground()
        try ground.register()
        _ = try ground.answered(leg)
        ground.post(.command(.transfer(leg, to: "103")))
        #expect(ground.outputs == [.event(.transferSettled(leg, accepted: false))])
    }

    /// Voice in clear has no place in it.
    @Test func offerWithoutDTLSIsRefused() throws {
        var ground = try Ground()
        try ground.register()
        let clear = "v=0\r\no=- 7 7 IN IP4 1.2.3.4\r\ns=-\r\nc=IN IP4 1.2.3.4\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"
        ground.ask("invite", ["callID": "c1", "sdp": .string(clear), "caller_id_number": "5550100"])
        #expect(ground.outputs.contains { if case .event(.refused(_, _, .noProtection)) = $0 { true } else { false } })
        #expect(ground.frames.contains { $0["method"] == "telnyx_rtc.bye" })
    }
}
