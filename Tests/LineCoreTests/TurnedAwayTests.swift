import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Calls that are turned away are told")
struct TurnedAwayTests {
    private let stranger = Stranger()

    private func refusals(_ world: World) -> [CallRefusal] {
        world.outputs(0).compactMap { if case .refused(_, _, let reason) = $0 { reason } else { nil } }
    }

    private func world(
        accepts: LineConfiguration.Accepts = .anyone, protection: ProtectionPolicy = .mandatory, legs: Int = 8
    ) -> World {
        var world = World()
        var configuration = Calls.direct("alice", accepts: accepts)
        configuration.media.protection = protection
        configuration.maximumLegs = legs
        world.add(configuration)
        return world
    }

    @Test(
        "with the reason",
        arguments: [
            (Stranger.body.replacing("RTP/SAVP", with: "RTP/AVP").replacing("a=crypto", with: "a=x"), .noProtection),
            (Stranger.body.replacing("opus", with: "speex"), .noCommonCodec),
            (Stranger.body.replacing("m=audio", with: "m=video"), .noAudio), ("v=0\r\nrubbish\r\n", .malformed),
        ] as [(String, CallRefusal)])
    func media(body: String, reason: CallRefusal) throws {
        var world = world()
        world.receive(stranger.invite(body: body).bytes, from: stranger)
        #expect(refusals(world) == [reason] && world.offeredLegs(0).isEmpty)
        guard case .refused(let caller, let from, _)? = world.outputs(0).last else {
            Issue.record("nothing was told")
            return
        }
        #expect(caller.number == "mallory" && from == stranger.endpoint)
    }

    @Test("who may not call, and who comes when all is full")
    func others() {
        var closed = world(accepts: .listed([]))
        closed.receive(stranger.invite().bytes, from: stranger)
        #expect(refusals(closed) == [.notAccepted])
        var full = world(legs: 1)
        full.receive(stranger.invite().bytes, from: stranger)
        let next = Stranger(callID: "next")
        full.receive(next.request(.invite, branch: "z9hG4bK-n", body: Stranger.body).bytes, from: next)
        #expect(refusals(full) == [.noRoom])
    }

    @Test("of a flood only the first are told")
    func flood() {
        var world = world(accepts: .listed([]))
        world.receiveCallsOfStrangers(200)
        #expect((1...12).contains(refusals(world).count))
    }
}
