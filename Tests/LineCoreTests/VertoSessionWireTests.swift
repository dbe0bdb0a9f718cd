import Base
import JSON
import LineCore
import SDPCore
import Testing
import VertoCore

/// Session features of a Verto line: login by token, the server's instance, and trickled candidates.
@Suite struct VertoSessionWireTests {
    private static let candidate = "7 1 udp 1694498815 203.0.113.77 9000 typ srflx raddr 0.0.0.0 rport 0"

    private let leg = CallID(.phone, 1)

    @Test func tokenReplacesUserAndPassword() throws {
        var ground = try VertoGround(token: "a.b.c")
        ground.post(.start)
        ground.post(.located(VertoGround.server, [VertoGround.flow]))
        let params = try #require(ground.frames.last?["params"])
        #expect(params["login_token"] == "a.b.c" && params["login"] == nil && params["passwd"] == nil)
        let id = try #require(ground.frames.last?["id"])
        ground.say(["jsonrpc": "2.0", "id": id, "error": ["code": -32_000, "message": "no a.b.c"]])
        let told = ground.outputs.compactMap {
            if case .event(.registration(_, .failed(let why))) = $0 { why } else { nil }
        }
        #expect(told.count == 1 && told[0].contains("token") && !told[0].contains("a.b.c"), "\(told)")
    }

    /// The next connection requests the instance that was named last.
    @Test func lastInstanceIsRequestedAgain() throws {
        var ground = try VertoGround()
        ground.post(.start)
        #expect(ground.outputs.contains(.ask(query: "")))
        ground.post(.located(VertoGround.server, [VertoGround.flow]))
        let sessid = try #require(ground.frames.last?["params"]?["sessid"])
        let id = try #require(ground.frames.last?["id"])
        ground.say([
            "jsonrpc": "2.0", "id": id, "result": ["message": "logged in", "sessid": sessid],
            "voice_sdk_id": "vsp1 a/b?&#\r\nX: 1",
        ])
        ground.post(.transportFailed(VertoGround.flow))
        ground.now = try #require(ground.line.deadline)
        ground.post(.deadline)
        let query = "voice_sdk_id=vsp1%20a%2Fb%3F%26%23%0D%0AX%3A%201"
        #expect(ground.outputs.contains(.ask(query: query)), "\(ground.outputs)")
    }

    // MARK: Trickled candidates

    private func remote(_ ground: VertoGround) -> [String]? {
        ground.outputs.lazy.compactMap { output -> [String]? in
            switch output {
            case .event(.answered(leg, let agreed)), .event(.renegotiated(leg, let agreed, _)),
                .event(.earlyMedia(leg, let agreed)):
                agreed.ice?.remote.candidates
            default: nil
            }
        }.first
    }

    private func trickle(_ text: String, _ call: JSONValue, _ ground: inout VertoGround, line: Int64 = 0) {
        ground.ask(
            "candidate", ["callID": call, "candidate": .string(text), "sdpMid": "0", "sdpMLineIndex": .integer(line)])
    }

    @Test func trickledCandidateIsUsed() throws {
        var ground = try VertoGround()
        try ground.register()
        let call = try ground.answered(leg)
        let first = try #require(remote(ground))
        trickle("candidate:" + Self.candidate, call, &ground)
        #expect(remote(ground) == first + [Self.candidate])
        trickle("a=candidate:" + Self.candidate, call, &ground)
        #expect(remote(ground) == nil, "it is known")
        trickle(Self.candidate.replacing("9000", with: "9001"), call, &ground, line: 1)
        #expect(remote(ground) == nil, "it is another medium's")
        trickle("", call, &ground)
        ground.ask("endOfCandidates", ["callID": call])
        #expect(remote(ground) == nil)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["callID": call, "action": "hold", "holdState": "held"])
        let held = ground.outputs.lazy.compactMap {
            if case .event(.holdSettled(_, let agreed?)) = $0 { agreed } else { nil }
        }
        .first
        #expect(held?.direction == .inactive && held?.ice?.remote.candidates == first + [Self.candidate])
    }

    /// The server sends them as soon as it has them.
    @Test func candidateBeforeAnswerIsUsed() throws {
        var ground = try VertoGround()
        try ground.register()
        let (call, offer) = try ground.invite(leg)
        trickle(Self.candidate, call, &ground)
        #expect(remote(ground) == nil)
        let answer = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        ground.ask("media", ["callID": call, "sdp": VertoGround.text(answer)])
        #expect(remote(ground)?.last == Self.candidate)
        let second = Self.candidate.replacing("9000", with: "9001")
        trickle(second, call, &ground)
        #expect(remote(ground)?.suffix(2) == [Self.candidate, second], "media may begin before the answer")
        ground.ask("answer", ["callID": call])
        #expect(remote(ground)?.suffix(2) == [Self.candidate, second])
    }

    @Test func callerCandidateIsUsedAfterAnswer() throws {
        var ground = try VertoGround()
        try ground.register()
        let offer = ground.far.offer(held: false, using: &ground.generator)
        ground.ask("invite", ["callID": "c1", "sdp": VertoGround.text(offer), "caller_id_number": "5550100"])
        let leg = try #require(
            ground.outputs.lazy.compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }.first)
        trickle(Self.candidate, "c1", &ground)
        ground.post(
            .command(
                .answer(
                    leg, MediaEndpoint(port: 4_000, ice: try VertoGround.candidates("a", 4_000)), awaitingACK: false)))
        try ground.answer(["callID": "c1"])
        #expect(ground.agreed(leg)?.ice?.remote.candidates.last == Self.candidate)
    }

    /// Candidates belong to one description.
    @Test func newDescriptionDropsOldCandidates() throws {
        var ground = try VertoGround()
        try ground.register()
        let call = try ground.answered(leg)
        trickle(Self.candidate, call, &ground)
        var other = try VertoGround().far
        let offer = other.offer(held: false, using: &ground.generator)
        ground.ask("attach", ["callID": call, "sdp": VertoGround.text(offer)])
        #expect(remote(ground)?.contains(Self.candidate) == false)
        trickle(Self.candidate, call, &ground)
        #expect(remote(ground)?.last == Self.candidate)
    }

    @Test func candidatesAreBounded() throws {
        var ground = try VertoGround()
        try ground.register()
        let call = try ground.answered(leg)
        let first = try #require(remote(ground)).count
        var last = 0
        for port in 9_000..<9_500 {
            trickle(Self.candidate.replacing("9000", with: "\(port)"), call, &ground)
            last = max(last, remote(ground)?.count ?? 0)
        }
        #expect(last == first + 64)
        trickle("no candidate at all", call, &ground)
        #expect(remote(ground) == nil)
    }
}
