import ICECore
import JSON
import LineCore
import SDPCore
import Testing
import VertoCore

/// A Verto line loses its connection while a call is unanswered, or its answer is pending.
@Suite struct VertoUnansweredTests {
    /// mod_verto has no message for ringing. A call that it has created counts as ringing until the next message;
    /// another server reports ringing.
    @Test(arguments: [VertoDialect.freeSWITCH, .telnyx])
    func unansweredFreeSWITCHCallRings(_ dialect: VertoDialect) throws {
        let leg = CallID(.phone, 1)
        var ground = try VertoGround(dialect)
        if dialect == .telnyx {
            try ground.register()
        } else {
            ground.post(.start)
            ground.post(.located(VertoGround.server, [VertoGround.flow]))
            let session = try #require(ground.frames.last?["params"]?["sessid"])
            try ground.answer(["message": "logged in", "sessid": session])
        }
        _ = try ground.invite(leg)
        let told = ground.outputs.filter { $0 == .event(.offerSent(leg)) || $0 == .event(.ringing(leg)) }
        #expect(
            told == (dialect == .telnyx ? [.event(.offerSent(leg))] : [.event(.offerSent(leg)), .event(.ringing(leg))]))
    }

    private let leg = CallID(.phone, 1)

    /// A call to us whose answer was pending.
    private func answering(_ ground: inout VertoGround) throws -> CallID {
        try ground.register()
        try ground.offer("invite", "c1", as: "f")
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }.first)
        ground.post(
            .command(
                .answer(
                    leg, MediaEndpoint(port: 4_000, ice: try VertoGround.candidates("a", 4_000)), awaitingACK: false)))
        #expect(ground.request("answer") != nil)
        return leg
    }

    /// The server never got it, and its offer is answered once more.
    @Test func pendingAnswerIsRepeated() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try ground.giveBack("c1", by: "invite")
        let theirs = try ground.far.conclude(VertoGround.description(ground.request("answer")))
        #expect(ground.agreed(leg) == nil, "the server does not know yet")
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg)?.ice?.remote == theirs.media.ice?.local)
        #expect(ground.agreed(leg)?.ice?.local.userFragment == theirs.media.ice?.remote.userFragment)
        #expect(ground.agreed(leg)?.ice?.local.password == theirs.media.ice?.remote.password)
    }

    /// The server got it, and reattaches the call as an active one.
    @Test func attachmentConfirmsPendingAnswer() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try ground.giveBack("c1")
        let answer = try #require(ground.request("attach"))
        let theirs = try ground.far.conclude(VertoGround.description(answer))
        #expect(ground.agreed(leg)?.ice?.local.userFragment == theirs.media.ice?.remote.userFragment)
        #expect(ground.agreed(leg)?.ice?.local.password == theirs.media.ice?.remote.password)
        try ground.confirmAttachment(answer)
        ground.post(.command(.hold(leg, true)))
        #expect(ground.request("modify")?["params"]?["action"] == "hold", "it is up")
    }

    /// It was reattached, and lost again before the server knew: the server offers it as a new call.
    @Test func answeredCallOfferedAgainIsAnsweredAgain() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try ground.giveBack("c1")
        ground.lose()
        try ground.giveBack("c1", by: "invite", as: "m")
        #expect(ground.request("answer") != nil)
        #expect(ground.renegotiated(leg)?.ice?.remote.userFragment == "mmmm")
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg) == nil, "that was announced")
        ground.post(.command(.end(leg)))
        #expect(ground.outputs.contains(.event(.ended(leg, .hungUpHere))))
    }

    /// Answered by a person while there was no connection.
    @Test func callAnsweredOfflineIsAnsweredWhenOffered() throws {
        var ground = try VertoGround()
        try ground.register()
        try ground.offer("invite", "c1", as: "f")
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }.first)
        ground.lose()
        ground.post(
            .command(
                .answer(
                    leg, MediaEndpoint(port: 4_000, ice: try VertoGround.candidates("a", 4_000)), awaitingACK: false)))
        #expect(ground.frames.isEmpty)
        try ground.giveBack("c1", by: "invite")
        #expect(ground.request("answer") != nil)
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg)?.ice?.remote.userFragment == "nnnn")
    }

    /// The far end answered our call while there was no connection.
    @Test(arguments: [true, false]) func dialledCallReturnsAnswered(hasEarlyMedia: Bool) throws {
        var ground = try VertoGround()
        try ground.register()
        let (call, offer) = try ground.invite(leg)
        if hasEarlyMedia {
            let early = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
            ground.ask("media", ["callID": call, "sdp": VertoGround.text(early)])
        }
        ground.lose()
        try ground.giveBack(call)
        let answer = try #require(ground.request("attach"))
        let theirs = try ground.far.conclude(VertoGround.description(answer))
        #expect(ground.agreed(leg)?.ice?.remote == theirs.media.ice?.local)
        #expect(ground.agreed(leg)?.ice?.local.userFragment == theirs.media.ice?.remote.userFragment)
        #expect(ground.agreed(leg)?.ice?.local.password == theirs.media.ice?.remote.password)
        try ground.confirmAttachment(answer)
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        #expect(ground.outputs.contains(.event(.ended(leg, .hungUpThere))))
    }

    /// An unanswerable offer ends the call, and the server is notified.
    @Test(arguments: ["invite", "attach"]) func unanswerableOfferEndsCall(method: String) throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try ground.comeBack(with: "c1")
        ground.ask(method, ["callID": "c1", "sdp": "no description"])
        #expect(ground.outputs.contains(.event(.ended(leg, .incompatible))))
        #expect(ground.request("bye") != nil)
    }
}
