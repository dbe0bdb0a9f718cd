import Base
import JSON
import LineCore
import SDPCore
import Testing
import VertoCore

/// Candidates of this phone that are trickled over a Verto line in Telnyx's dialect.
@Suite struct VertoTrickleTests {
    private static let candidate = "2 1 UDP 1694498815 203.0.113.7 4000 typ srflx raddr 192.0.2.1 rport 4000"

    private let leg = CallID(.phone, 1)

    private func tell(
        _ ground: inout VertoGround, _ leg: CallID, _ candidates: [String] = [candidate], isLast: Bool = false
    ) {
        ground.post(.command(.candidates(leg, candidates, isLast: isLast)))
    }

    /// The methods of the last frames.
    private func methods(_ ground: VertoGround) -> [String?] { ground.frames.map { $0["method"]?.string } }

    private func description(_ frame: JSONValue?) throws -> SessionDescription {
        try SessionDescription(parsing: Array(try #require(frame?["params"]?["sdp"]?.string).utf8))
    }

    private func candidates(_ description: SessionDescription) -> [String] {
        description.media.flatMap { $0.values(of: "candidate") }
    }

    @Test func candidatesAfterInvitationAreTrickled() throws {
        var ground = try VertoGround()
        try ground.register()
        let media = MediaEndpoint(port: 4_000, ice: try VertoGround.candidates("a", 4_000, isTrickled: true))
        ground.post(.command(.dial(leg, target: "102", account: .direct, media)))
        let invite = try #require(ground.frames.last)
        #expect(invite["params"]?["trickle"] == true)
        let offer = try description(invite)
        #expect(offer.media[0].values(of: "ice-options") == ["ice2 trickle"] && candidates(offer).count == 1)
        let call = try #require(invite["params"]?["dialogParams"]?["callID"])
        // The server need not have answered.
        tell(&ground, leg, [Self.candidate, "3 1 UDP 1 203.0.113.8 4001 typ srflx"])
        #expect(methods(ground) == ["telnyx_rtc.candidate", "telnyx_rtc.candidate"])
        let params = try #require(ground.frames.first?["params"])
        #expect(params["candidate"]?.string == "candidate:" + Self.candidate)
        #expect(params["sdpMLineIndex"] == 0 && params["sdpMid"] == nil, "our line has no name")
        #expect(params["dialogParams"]?["callID"] == call)
        tell(&ground, leg, [], isLast: true)
        #expect(methods(ground) == ["telnyx_rtc.endOfCandidates"])
    }

    @Test func completeDescriptionTricklesNothing() throws {
        var ground = try VertoGround()
        try ground.register()
        _ = try ground.answered(leg)
        tell(&ground, leg, isLast: true)
        #expect(ground.frames.isEmpty)
    }

    /// FreeSWITCH does not support trickling, whatever the phone has.
    @Test func plainDialectTricklesNothing() throws {
        var ground = try VertoGround(.freeSWITCH)
        ground.post(.start)
        ground.post(.located(VertoGround.server, [VertoGround.flow]))
        try ground.answer(["message": "logged in", "sessid": try #require(ground.frames.last?["params"]?["sessid"])])
        ground.say(["jsonrpc": "2.0", "id": 1, "method": "verto.clientReady", "params": ["reattached_sessions": []]])
        let media = MediaEndpoint(port: 4_000, ice: try VertoGround.candidates("a", 4_000, isTrickled: true))
        ground.post(.command(.dial(leg, target: "102", account: .direct, media)))
        let invite = try #require(ground.frames.last)
        #expect(invite["method"] == "verto.invite" && invite["params"]?["trickle"] == nil)
        tell(&ground, leg, isLast: true)
        #expect(ground.frames.isEmpty)
    }

    /// Candidates name the medium of the offer that our answer accepts, by index and name.
    @Test func candidatesAfterAnswerNameTheirMedium() throws {
        var ground = try VertoGround()
        try ground.register()
        var offer = ground.far.offer(held: false, using: &ground.generator)
        offer.media[0].attributes.append(.init("mid", "voice"))
        let video = MediaDescription(kind: "video", port: 9_002, transport: "UDP/TLS/RTP/SAVPF", formats: ["97"])
        offer.media.insert(video, at: 0)
        ground.ask("invite", ["callID": "c1", "sdp": VertoGround.text(offer), "caller_id_number": "5550100"])
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }.first)
        tell(&ground, leg)
        #expect(ground.frames.isEmpty, "there is no answer yet")
        let ice = try VertoGround.candidates("a", 4_000, isTrickled: true)
        ground.post(.command(.answer(leg, MediaEndpoint(port: 4_000, ice: ice), awaitingACK: false)))
        #expect(ground.frames.last?["params"]?["trickle"] == true)
        tell(&ground, leg, isLast: true)
        #expect(methods(ground) == ["telnyx_rtc.candidate", "telnyx_rtc.endOfCandidates"])
        let params = try #require(ground.frames.first?["params"])
        #expect(params["sdpMLineIndex"] == 1 && params["sdpMid"] == "voice")
    }

    /// A far end without ICE gets no candidates.
    @Test func answerWithoutICETricklesNothing() throws {
        var ground = try VertoGround()
        try ground.register()
        var far = MediaNegotiation(
            capabilities: VertoGround.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
            using: &ground.generator)
        let offer = far.offer(held: false, using: &ground.generator)
        ground.ask("invite", ["callID": "c1", "sdp": VertoGround.text(offer), "caller_id_number": "5550100"])
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }.first)
        let ice = try VertoGround.candidates("a", 4_000, isTrickled: true)
        ground.post(.command(.answer(leg, MediaEndpoint(port: 4_000, ice: ice), awaitingACK: false)))
        #expect(
            ground.frames.last?["method"] == "telnyx_rtc.answer" && ground.frames.last?["params"]?["trickle"] == nil)
        tell(&ground, leg, isLast: true)
        #expect(ground.frames.isEmpty)
    }

    @Test func lateCandidatesAreSent() throws {
        var ground = try VertoGround()
        try ground.register()
        let call = try ground.answered(leg, isTrickled: true)
        tell(&ground, leg)
        #expect(methods(ground) == ["telnyx_rtc.candidate"])
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        tell(&ground, leg, isLast: true)
        #expect(ground.outputs.isEmpty)
    }

    /// The server reattaches a call: our answer has the candidates so far, and later ones follow.
    @Test func laterDescriptionHasTrickledCandidates() throws {
        var ground = try VertoGround()
        try ground.register()
        let call = try ground.answered(leg, isTrickled: true)
        tell(&ground, leg)
        var other = try VertoGround().far
        let offer = other.offer(held: false, using: &ground.generator)
        ground.ask("attach", ["callID": call, "sdp": VertoGround.text(offer)])
        let answer = try description(ground.frames.last { $0["method"] == "telnyx_rtc.attach" })
        #expect(candidates(answer).last == Self.candidate && candidates(answer).count == 2)
        tell(&ground, leg, ["3 1 UDP 1 203.0.113.8 4001 typ srflx"], isLast: true)
        #expect(methods(ground) == ["telnyx_rtc.candidate", "telnyx_rtc.endOfCandidates"])
    }
}
