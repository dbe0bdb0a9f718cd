import Base
import ICECore
import JSON
import LineCore
import SDPCore
import SIPCore
import Testing

/// What a line that speaks Verto makes of a connection that is lost in a call: with the call, with a move that the loss
/// meets, and with a call that nobody has answered or whose answer is on its way.
@Suite struct VertoRecoveryTests {
    private let leg = LegID(.local, 1)

    // MARK: What is said

    /// What moves were settled with.
    private func moves(_ ground: VertoGround) -> [NegotiatedMedia?] {
        ground.outputs.reduce(into: []) { moves, output in
            if case .moved(leg, let agreed) = output { moves.append(agreed) }
        }
    }

    private func fragments(_ moves: [NegotiatedMedia?]) -> [String?] {
        moves.map { $0?.ice?.local.credentials.userFragment }
    }

    private func holds(_ ground: VertoGround) -> [NegotiatedMedia?] {
        ground.outputs.reduce(into: []) { holds, output in
            if case .holdSettled(leg, let agreed) = output { holds.append(agreed) }
        }
    }

    private func renegotiated(_ ground: VertoGround, _ leg: LegID = LegID(.local, 1)) -> NegotiatedMedia? {
        ground.outputs.lazy.compactMap { if case .renegotiated(leg, let agreed) = $0 { agreed } else { nil } }.first
    }

    private func request(_ method: String, _ ground: VertoGround) -> JSONValue? {
        ground.frames.last { $0["method"]?.string == "telnyx_rtc." + method }
    }

    private func description(_ request: JSONValue?) throws -> SessionDescription {
        try SessionDescription(parsing: Array(try #require(request?["params"]?["sdp"]?.string).utf8))
    }

    private func move(_ letter: Character, _ ground: inout VertoGround) throws {
        ground.post(.command(.move(leg, ice: try VertoGround.ways(letter, 4_000))))
    }

    /// The server's media are new ones, and it offers them.
    private func offer(
        _ method: String, _ call: JSONValue, _ ground: inout VertoGround, as letter: Character = "n"
    ) throws {
        ground.far = MediaNegotiation(
            capabilities: VertoGround.capabilities, local: .init(host: "203.0.113.9", port: 9_100),
            ice: try VertoGround.ways(letter, 9_100), using: &ground.generator)
        let offer = ground.far.offer(held: false, using: &ground.generator)
        ground.ask(method, ["callID": call, "sdp": VertoGround.text(offer)])
    }

    /// The line has another connection, over which the server gives the call back.
    private func giveBack(
        _ call: JSONValue, by method: String = "attach", _ ground: inout VertoGround, as letter: Character = "n"
    ) throws {
        try ground.comeBack(with: call)
        try offer(method, call, &ground, as: letter)
    }

    private func confirmAttachment(_ ground: inout VertoGround, _ request: JSONValue?) throws {
        if ground.far.isOffering { _ = try ground.far.conclude(description(request)) }
        ground.say(["jsonrpc": "2.0", "id": try #require(request?["id"]), "result": [:]])
    }

    // MARK: Moves

    /// The change of the network is known at once, and the phone's new ways to here later; or it has asked the server
    /// already.
    @Test(arguments: [false, true]) func aMoveWaitsForTheCallToBeGivenBack(isAsked: Bool) throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        if isAsked { try move("z", &ground) }
        ground.post(.networkChanged)
        #expect(moves(ground).isEmpty)
        if !isAsked {
            try move("z", &ground)
            #expect(ground.outputs.isEmpty)
        }
        try ground.comeBack(with: call)
        #expect(moves(ground).isEmpty)
        try offer("attach", call, &ground)
        #expect(fragments(moves(ground)) == ["zzzz"])
        #expect(moves(ground).first??.ice?.remote.credentials.userFragment == "nnnn")
        let answer = request("attach", ground)
        #expect(try description(answer).media[0].values(of: "ice-ufrag") == ["zzzz"])
        try confirmAttachment(&ground, answer)
        #expect(ground.outputs.isEmpty, "nothing else is asked or told")
    }

    private static let elsewhere = Flow(.wss, local: .init("192.0.2.9", 40_000), remote: VertoGround.flow.remote)

    /// As a phone tells it: the line first, then its calls. The server is looked for at once over the new path.
    @Test func aLineThatBeginsAgainTakesItsCallsAlong() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect))
        #expect(ground.outputs.contains(.locate(VertoGround.server)))
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.contains(.abandon(VertoGround.flow)))
        #expect(ground.outputs.contains(.locate(VertoGround.server)))
        try move("z", &ground)
        #expect(ground.outputs.isEmpty)
        try giveBack(call, &ground)
        #expect(fragments(moves(ground)) == ["zzzz"])
    }

    /// It has found the new path before the phone believes in it: that connection stays, and the call with it.
    @Test func aConnectionThatLeadsFromHereStays() throws {
        var ground = try VertoGround()
        _ = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect))
        #expect(ground.outputs == [.locate(VertoGround.server)])
        ground.post(.located(VertoGround.server, [Self.elsewhere, VertoGround.flow]))
        #expect(ground.frames.map { $0["method"] } == ["telnyx_rtc.ping"], "whether the server is there")
        try move("z", &ground)
        #expect(request("modify", ground) != nil)
        // What is located later, for whatever reason, changes nothing.
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.isEmpty)
    }

    /// What is located about a connection that was lost meanwhile says nothing about the next one.
    @Test func aComparisonEndsWithItsConnection() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect))
        ground.lose()
        try ground.comeBack(with: call)
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.isEmpty)
    }

    /// The server was quick: its offer is answered before the phone has found its new ways.
    @Test func aMoveThatComesAfterTheAnswerIsAskedForWhenTheServerHasIt() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try giveBack(call, &ground)
        let answer = request("attach", ground)
        #expect(renegotiated(ground) != nil)
        try move("z", &ground)
        #expect(ground.outputs.isEmpty)
        try confirmAttachment(&ground, answer)
        let update = try #require(request("modify", ground))
        #expect(update["params"]?["action"] == "updateMedia")
        let offer = try description(update)
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["callID": call, "action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(fragments(moves(ground)) == ["zzzz"])
    }

    /// A server that goes on with the session of ICE that there was is told of other ways by themselves.
    @Test func anAnswerThatNamesTheFormerWaysIsNoMove() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try move("z", &ground)
        try giveBack(call, &ground, as: "f")
        #expect(moves(ground).isEmpty && renegotiated(ground)?.ice?.local.credentials.userFragment == "aaaa")
        try confirmAttachment(&ground, request("attach", ground))
        #expect(try description(request("modify", ground)).media[0].values(of: "ice-ufrag") == ["zzzz"])
    }

    /// The connection is there, and the server moves the call while we do.
    @Test func anOfferOfTheServersMeetsAMove() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        try move("z", &ground)
        try offer("attach", call, &ground)
        #expect(fragments(moves(ground)) == ["zzzz"])
    }

    @Test func theLastOfSeveralMovesCounts() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        try move("y", &ground)
        try move("z", &ground)
        let offer = try description(request("modify", ground))
        #expect(offer.media[0].values(of: "ice-ufrag") == ["zzzz"])
        ground.post(.networkChanged)
        try move("x", &ground)
        try move("w", &ground)
        try giveBack(call, &ground)
        #expect(fragments(moves(ground)) == ["wwww"])
    }

    /// Where the far end does no ICE, descriptions name the line's own address.
    @Test func aMoveWithoutICEIsOneToTheAddressOfTheConnection() throws {
        var ground = try VertoGround()
        try ground.register()
        ground.far = MediaNegotiation(
            capabilities: VertoGround.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
            using: &ground.generator)
        _ = try ground.answered(leg)
        ground.post(.command(.move(leg, ice: nil)))
        let offer = try description(request("modify", ground))
        #expect(offer.host == "192.0.2.1")
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(moves(ground).count == 1 && moves(ground).allSatisfy { $0 != nil })
    }

    /// The minute of the session's ends both the call and its move.
    @Test func aCallThatIsNotGivenBackEnds() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try move("z", &ground)
        try ground.comeBack(with: call)
        var seconds = 0
        while !ground.outputs.contains(.ended(leg, .unreachable)), seconds < 70 {
            #expect(moves(ground).isEmpty)
            ground.now = ground.now + .seconds(1)
            ground.ask("ping", [:])
            seconds += 1
        }
        #expect((55...60).contains(seconds))
    }

    @Test func aMoveThatTheServerRefusesFails() throws {
        var ground = try VertoGround()
        try ground.register()
        _ = try ground.answered(leg)
        try move("z", &ground)
        let id = try #require(request("modify", ground)?["id"])
        ground.say(["jsonrpc": "2.0", "id": id, "error": ["code": -32_002, "message": "CALL ERROR"]])
        #expect(ground.outputs == [.moved(leg, nil)])
    }

    // MARK: Hold

    @Test func aHoldThatIsAskedMeanwhileFailsAtOnce() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.lose()
        ground.post(.command(.hold(leg, true)))
        #expect(ground.outputs == [.holdSettled(leg, nil)])
        try giveBack(call, &ground)
        let answer = request("attach", ground)
        ground.post(.command(.hold(leg, true)))
        #expect(ground.outputs == [.holdSettled(leg, nil)])
        try confirmAttachment(&ground, answer)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["action": "hold", "holdState": "held"])
        #expect(holds(ground).map { $0?.direction } == [.inactive])
    }

    /// One that was on its way is settled when the server has the call again.
    @Test func aHoldThatWasOnItsWayIsSettledOnce() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.command(.hold(leg, true)))
        ground.lose()
        #expect(holds(ground).isEmpty)
        try giveBack(call, &ground)
        try confirmAttachment(&ground, request("attach", ground))
        #expect(holds(ground).isEmpty && request("modify", ground)?["params"]?["action"] == "hold")
        try ground.answer(["action": "hold", "holdState": "held"])
        #expect(holds(ground).map { $0?.direction } == [.inactive])
    }

    /// To whoever is held nothing is sent, whatever the server offers in giving the call back, or answers to a move.
    @Test func whoeverIsHeldStaysHeld() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["action": "hold", "holdState": "held"])
        ground.lose()
        try giveBack(call, &ground)
        #expect(renegotiated(ground)?.direction == .inactive)
        try confirmAttachment(&ground, request("attach", ground))
        try move("z", &ground)
        let offer = try description(request("modify", ground))
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(moves(ground).map { $0?.direction } == [.inactive])
    }

    // MARK: Calls that were not up yet

    /// A call to us whose answer was on its way.
    private func answering(_ ground: inout VertoGround) throws -> LegID {
        try ground.register()
        try offer("invite", "c1", &ground, as: "f")
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .offered(let leg, _) = $0 { leg } else { nil } }.first)
        ground.post(.command(.answer(leg, media: LocalMedia(port: 4_000, ice: try VertoGround.ways("a", 4_000)))))
        #expect(request("answer", ground) != nil)
        return leg
    }

    /// The server never got it, and its offer is answered once more.
    @Test func anAnswerOnItsWayIsGivenAgain() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try giveBack("c1", by: "invite", &ground)
        let theirs = try ground.far.conclude(description(request("answer", ground)))
        #expect(ground.agreed(leg) == nil, "the server does not know yet")
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg)?.ice?.remote == theirs.ice?.local)
        #expect(ground.agreed(leg)?.ice?.local.credentials == theirs.ice?.remote.credentials)
    }

    /// The server had it: it gives the call back as one that is up.
    @Test func anAnswerThatArrivedIsKnownByTheCallThatIsGivenBack() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try giveBack("c1", &ground)
        let answer = try #require(request("attach", ground))
        let theirs = try ground.far.conclude(description(answer))
        #expect(ground.agreed(leg)?.ice?.local.credentials == theirs.ice?.remote.credentials)
        try confirmAttachment(&ground, answer)
        ground.post(.command(.hold(leg, true)))
        #expect(request("modify", ground)?["params"]?["action"] == "hold", "it is up")
    }

    /// It was given back, and lost again before the server knew that we had it: the server offers it as a new one.
    @Test func aCallThatIsUpHereAndRingsThereIsAnsweredAgain() throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try giveBack("c1", &ground)
        ground.lose()
        try giveBack("c1", by: "invite", &ground, as: "m")
        #expect(request("answer", ground) != nil)
        #expect(renegotiated(ground, leg)?.ice?.remote.credentials.userFragment == "mmmm")
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg) == nil, "that was told")
        ground.post(.command(.end(leg)))
        #expect(ground.outputs.contains(.ended(leg, .hungUpHere)))
    }

    /// Answered by a person while there was no connection.
    @Test func aCallThatIsTakenMeanwhileIsAnsweredWhenItIsOfferedAnew() throws {
        var ground = try VertoGround()
        try ground.register()
        try offer("invite", "c1", &ground, as: "f")
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .offered(let leg, _) = $0 { leg } else { nil } }.first)
        ground.lose()
        ground.post(.command(.answer(leg, media: LocalMedia(port: 4_000, ice: try VertoGround.ways("a", 4_000)))))
        #expect(ground.frames.isEmpty)
        try giveBack("c1", by: "invite", &ground)
        #expect(request("answer", ground) != nil)
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg)?.ice?.remote.credentials.userFragment == "nnnn")
    }

    /// The far end has answered a call of ours while there was no connection.
    @Test(arguments: [true, false]) func aCallOfOursIsGivenBackAnswered(hasEarlyMedia: Bool) throws {
        var ground = try VertoGround()
        try ground.register()
        let (call, offer) = try ground.invite(leg)
        if hasEarlyMedia {
            let early = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
            ground.ask("media", ["callID": call, "sdp": VertoGround.text(early)])
        }
        ground.lose()
        try giveBack(call, &ground)
        let answer = try #require(request("attach", ground))
        let theirs = try ground.far.conclude(description(answer))
        #expect(ground.agreed(leg)?.ice?.remote == theirs.ice?.local)
        #expect(ground.agreed(leg)?.ice?.local.credentials == theirs.ice?.remote.credentials)
        try confirmAttachment(&ground, answer)
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        #expect(ground.outputs.contains(.ended(leg, .hungUpThere)))
    }

    /// What cannot be answered ends the call, and the server is told.
    @Test(arguments: ["invite", "attach"]) func anOfferThatCannotBeAnsweredEndsTheCall(method: String) throws {
        var ground = try VertoGround()
        let leg = try answering(&ground)
        ground.lose()
        try ground.comeBack(with: "c1")
        ground.ask(method, ["callID": "c1", "sdp": "no description"])
        #expect(ground.outputs.contains(.ended(leg, .incompatible)))
        #expect(request("bye", ground) != nil)
    }
}
