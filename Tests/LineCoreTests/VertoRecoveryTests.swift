import Base
import ICECore
import JSON
import LineCore
import SDPCore
import SIPCore
import Testing

/// A Verto line that loses its connection in a call: the call, a crossing move, and a call that is unanswered or whose
/// answer is pending.
@Suite struct VertoRecoveryTests {
    private let leg = CallID(.phone, 1)

    // MARK: Reports

    /// The results of moves.
    private func moves(_ ground: VertoGround) -> [NegotiatedMedia?] {
        ground.outputs.reduce(into: []) { moves, output in
            if case .event(.moved(leg, let agreed)) = output { moves.append(agreed) }
        }
    }

    private func fragments(_ moves: [NegotiatedMedia?]) -> [String?] {
        moves.map { $0?.ice?.local.userFragment }
    }

    private func holds(_ ground: VertoGround) -> [NegotiatedMedia?] {
        ground.outputs.reduce(into: []) { holds, output in
            if case .event(.holdSettled(leg, let agreed)) = output { holds.append(agreed) }
        }
    }

    private func move(_ letter: Character, _ ground: inout VertoGround) throws {
        ground.post(.command(.move(leg, MediaEndpoint(port: 4_000, ice: try VertoGround.candidates(letter, 4_000)))))
    }

    // MARK: Moves

    /// The network change is known at once, and the phone's new candidates follow; or the phone has already sent them.
    @Test(arguments: [false, true]) func moveWaitsForReattachedCall(isAsked: Bool) throws {
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
        try ground.offer("attach", call)
        #expect(moves(ground).first??.ice?.remote.userFragment == "nnnn")
        let answer = ground.request("attach")
        #expect(try VertoGround.description(answer).media[0].values(of: "ice-ufrag") == fragments(moves(ground)))
        try ground.confirmAttachment(answer)
        #expect(ground.outputs.isEmpty, "nothing else is requested or reported")
    }

    private static let elsewhere = Flow(.wss, local: .init("192.0.2.9", 40_000), remote: VertoGround.flow.remote)

    /// A phone notifies the line first, then its calls. The line connects over the new path at once.
    @Test func restartedLineTakesItsCallsAlong() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect(.direct)))
        #expect(ground.outputs.contains(.locate(VertoGround.server, [])))
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.contains(.abandon(VertoGround.flow)))
        #expect(ground.outputs.contains(.locate(VertoGround.server, [])))
        try move("z", &ground)
        #expect(ground.outputs.isEmpty)
        try ground.giveBack(call)
        #expect(moves(ground).count == 1 && moves(ground).first != .some(nil))
    }

    /// The server is connected over the new path before the phone uses it: that connection stays, and so does the
    /// call.
    @Test func connectionFromCurrentAddressStays() throws {
        var ground = try VertoGround()
        _ = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect(.direct)))
        #expect(ground.outputs == [.locate(VertoGround.server, [])])
        ground.post(.located(VertoGround.server, [Self.elsewhere, VertoGround.flow]))
        #expect(ground.frames.map { $0["method"] } == ["telnyx_rtc.ping"], "whether the server is there")
        try move("z", &ground)
        #expect(ground.request("modify") != nil)
        // Later lookups change nothing, whatever their cause.
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.isEmpty)
    }

    /// The lookup for a lost connection does not affect the next one.
    @Test func comparisonEndsWithConnection() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.now = ground.now + .seconds(2)
        ground.post(.command(.reconnect(.direct)))
        ground.lose()
        try ground.comeBack(with: call)
        ground.post(.located(VertoGround.server, [Self.elsewhere]))
        #expect(ground.outputs.isEmpty)
    }

    /// The server was quick: its offer is answered before the phone has new candidates. The answer named the new
    /// address, so the server is not asked again.
    @Test func moveAfterAnswerIsReportedByIt() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try ground.giveBack(call)
        let answer = ground.request("attach")
        let terms = try #require(ground.renegotiated(leg))
        try move("z", &ground)
        #expect(ground.outputs == [.event(.moved(leg, terms))])
        try ground.confirmAttachment(answer)
        #expect(ground.outputs.isEmpty)
        // Another address is reported.
        try move("y", &ground)
        let offer = try VertoGround.description(ground.request("modify"))
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["callID": call, "action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(fragments(moves(ground)) == ["yyyy"])
    }

    /// FreeSWITCH has crashed, or sees another address of us: its media are new, with the old certificate. It would
    /// take our old port for a continuing call, and start no handshake.
    @Test func attachmentIsAnsweredByAnotherSession() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        var sessions: Set<String> = []
        for (round, letter) in "nmk".enumerated() {
            ground.lose()
            try ground.giveBack(call, as: letter)
            let answer = try VertoGround.description(ground.request("attach"))
            let (line, port) = (answer.media[0], UInt16(round.isMultiple(of: 2) ? 4_001 : 4_000))
            #expect(line.port == port && answer.host == "192.0.2.1" && answer.origin.version == 1)
            #expect(line.values(of: "candidate") == ["1 1 UDP 2130706431 192.0.2.1 \(port) typ host"])
            sessions.formUnion(line.values(of: "ice-ufrag") + [answer.origin.sessionID])
            let terms = try #require(ground.renegotiated(leg))
            #expect(
                terms.dtls
                    == .init(isActive: true, fingerprints: [VertoGround.fingerprint.digest], number: UInt32(round + 1)))
            #expect((terms.ice?.usesControlPort == true) == (port == 4_001))
            #expect(terms.ice.map { [$0.local.userFragment] } == line.values(of: "ice-ufrag"))
            try ground.confirmAttachment(ground.request("attach"))
        }
        #expect(sessions.count == 6 && !sessions.contains("aaaa"))
    }

    /// Nothing was lost, but a server that describes its media again may have new ones, with the old certificate.
    @Test func unexpectedAttachmentKeepsPortAndDropsKeys() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        try ground.offer("attach", call)
        let line = try VertoGround.description(ground.request("attach")).media[0]
        #expect(line.port == 4_000 && line.values(of: "ice-ufrag") != ["aaaa"])
        let terms = try #require(ground.renegotiated(leg))
        #expect(terms.dtls?.number == 1 && terms.dtls?.isActive == false)
        #expect(terms.ice != nil && terms.ice?.usesControlPort == nil)
    }

    /// The media of two phones bypass the server, and continued.
    @Test func attachmentInSameICESessionChangesNothing() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.lose()
        try ground.giveBack(call, as: "f")
        let line = try VertoGround.description(ground.request("attach")).media[0]
        #expect(line.port == 4_000 && line.values(of: "ice-ufrag") == ["aaaa"])
        let association = try #require(ground.renegotiated(leg)?.dtls)
        #expect(association.number == nil)
    }

    /// A server that continues the same ICE session gets new candidates by trickling.
    @Test func answerWithFormerCandidatesIsNoMove() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try move("z", &ground)
        try ground.giveBack(call, as: "f")
        #expect(moves(ground).isEmpty && ground.renegotiated(leg)?.ice?.local.userFragment == "aaaa")
        try ground.confirmAttachment(ground.request("attach"))
        #expect(try VertoGround.description(ground.request("modify")).media[0].values(of: "ice-ufrag") == ["zzzz"])
    }

    /// The connection is there, and the server moves the call while we do.
    @Test func serverOfferCrossesMove() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        try move("z", &ground)
        try ground.offer("attach", call)
        #expect(moves(ground).count == 1 && moves(ground).first != .some(nil))
    }

    @Test func lastOfSeveralMovesCounts() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        try move("y", &ground)
        try move("z", &ground)
        let offer = try VertoGround.description(ground.request("modify"))
        #expect(offer.media[0].values(of: "ice-ufrag") == ["zzzz"])
        ground.post(.networkChanged)
        try move("x", &ground)
        try move("w", &ground)
        try ground.giveBack(call)
        #expect(moves(ground).count == 1 && moves(ground).first != .some(nil))
    }

    /// If the far end does no ICE, descriptions name the line's own address.
    @Test func moveWithoutICEUsesConnectionAddress() throws {
        var ground = try VertoGround()
        try ground.register()
        ground.far = MediaNegotiation(
            capabilities: VertoGround.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
            using: &ground.generator)
        _ = try ground.answered(leg)
        ground.post(.command(.move(leg, MediaEndpoint(port: 4_000, ice: nil))))
        let offer = try VertoGround.description(ground.request("modify"))
        #expect(offer.host == "192.0.2.1")
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(moves(ground).count == 1 && moves(ground).allSatisfy { $0 != nil })
    }

    /// After a minute without a session, the call and its move end.
    @Test func lostCallEnds() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try move("z", &ground)
        try ground.comeBack(with: call)
        var seconds = 0
        while !ground.outputs.contains(.event(.ended(leg, .unreachable))), seconds < 70 {
            #expect(moves(ground).isEmpty)
            ground.now = ground.now + .seconds(1)
            ground.ask("ping", [:])
            seconds += 1
        }
        #expect((55...60).contains(seconds))
    }

    @Test func refusedMoveFails() throws {
        var ground = try VertoGround()
        try ground.register()
        _ = try ground.answered(leg)
        try move("z", &ground)
        let id = try #require(ground.request("modify")?["id"])
        ground.say(["jsonrpc": "2.0", "id": id, "error": ["code": -32_002, "message": "CALL ERROR"]])
        #expect(ground.outputs == [.event(.moved(leg, nil))])
    }

    /// The server was quick, and its media accept only the candidates of our answer.
    @Test func refusedMoveInKnownSessionIsHarmless() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.networkChanged)
        try ground.giveBack(call)
        let session = try #require(ground.renegotiated(leg)?.ice?.local)
        try ground.confirmAttachment(ground.request("attach"))
        ground.now = ground.now + .seconds(6)
        var ice = try VertoGround.candidates("z", 4_000)
        (ice.description.userFragment, ice.description.password) = (session.userFragment, session.password)
        ground.post(.command(.move(leg, MediaEndpoint(port: 4_000, ice: ice))))
        let id = try #require(ground.request("modify")?["id"])
        ground.say(["jsonrpc": "2.0", "id": id, "error": ["code": -32_002, "message": "CALL ERROR"]])
        #expect(fragments(moves(ground)) == [session.userFragment])
    }

    // MARK: Hold

    @Test func holdWithoutConnectionFailsAtOnce() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.lose()
        ground.post(.command(.hold(leg, true)))
        #expect(ground.outputs == [.event(.holdSettled(leg, nil))])
        try ground.giveBack(call)
        let answer = ground.request("attach")
        ground.post(.command(.hold(leg, true)))
        #expect(ground.outputs == [.event(.holdSettled(leg, nil))])
        try ground.confirmAttachment(answer)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["action": "hold", "holdState": "held"])
        #expect(holds(ground).map { $0?.direction } == [.inactive])
    }

    /// A pending hold is settled when the server has the call again.
    @Test func pendingHoldIsSettledOnce() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.command(.hold(leg, true)))
        ground.lose()
        #expect(holds(ground).isEmpty)
        try ground.giveBack(call)
        try ground.confirmAttachment(ground.request("attach"))
        #expect(holds(ground).isEmpty && ground.request("modify")?["params"]?["action"] == "hold")
        try ground.answer(["action": "hold", "holdState": "held"])
        #expect(holds(ground).map { $0?.direction } == [.inactive])
    }

    /// A held far end gets no voice, whatever the server offers on reattaching, or answers to a move.
    @Test func heldFarEndStaysHeld() throws {
        var ground = try VertoGround()
        let call = try ground.talk(leg)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["action": "hold", "holdState": "held"])
        ground.lose()
        try ground.giveBack(call)
        #expect(ground.renegotiated(leg)?.direction == .inactive)
        try ground.confirmAttachment(ground.request("attach"))
        ground.now = ground.now + .seconds(6)
        try move("z", &ground)
        let offer = try VertoGround.description(ground.request("modify"))
        let theirs = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(["action": "updateMedia", "sdp": VertoGround.text(theirs)])
        #expect(moves(ground).map { $0?.direction } == [.inactive])
    }
}
