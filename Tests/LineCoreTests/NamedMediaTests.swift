import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// Connection lines with a host name (RFC 8866 §5.7). `server.example` is the only name that the world can resolve.
@Suite("Host names in descriptions")
struct NamedMediaTests {
    private let stranger = Stranger()
    private let called = CallID(.line(.direct), 1)
    private let own = CallID(.phone, 1)

    private static func named(_ name: String = "server.example", _ body: String = Stranger.body) -> String {
        body.replacing("c=IN IP4 203.0.113.9", with: "c=IN IP4 \(name)")
    }

    private func world() -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        return world
    }

    private func invite(_ name: String, _ number: Int = 1) -> SIPRequest {
        Stranger(callID: "named-\(number)").request(.invite, branch: "z9hG4bK-n\(number)", body: Self.named(name))
    }

    @Test("a caller's host name is resolved, and the call is answered")
    func callersHostNameIsResolved() {
        var world = world()
        world.receive(stranger.invite(body: Self.named()).bytes, from: stranger)
        world.command(0, .answer(called, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        #expect(world.agreed(0, called)?.remote == MediaAddress(host: World.serverEndpoint.host, port: 7_000))
    }

    @Test("a callee's host name is resolved, in an early and in a final answer", arguments: [true, false])
    func calleesHostNameIsResolved(isEarly: Bool) throws {
        var (world, invite) = try World.callingStranger()
        let answer = Self.named("server.example", Stranger.answer)
        if isEarly {
            world.receive(stranger.progress(.sessionProgress, to: invite, tag: "x", body: answer).bytes, from: stranger)
        }
        world.receive(stranger.success(to: invite, tag: "x", body: isEarly ? "" : answer).bytes, from: stranger)
        #expect(world.agreed(0, own)?.remote.host == World.serverEndpoint.host)
        #expect(world.caughtRequests.last?.method == .ack)
    }

    @Test("a change to a host name is followed")
    func changeToHostNameIsFollowed() throws {
        var (world, tag) = try World.called(by: stranger)
        let move = stranger.request(.invite, sequence: 11, branch: "z9hG4bK-m", toTag: tag, body: Self.named())
        world.receive(move.bytes, from: stranger)
        #expect(world.renegotiated(0, called).last?.remote.host == World.serverEndpoint.host)
    }

    @Test("an unknown name is refused with its reason")
    func unknownNameIsRefusedWithItsReason() throws {
        var world = world()
        world.receive(invite("nowhere.example").bytes, from: stranger)
        #expect(world.caughtStatuses.last == 488 && world.offeredLegs(0).isEmpty)
        #expect(world.caughtResponses.last?.headers[.warning]?.hasPrefix("301 ") == true)
        let remarks = world.outputs(0).compactMap { if case .remark(let text) = $0 { text } else { nil } }
        #expect(remarks.contains { $0.contains("nowhere.example") })
    }

    @Test("a silent name service delays a call by three seconds at most")
    func silentNameServiceDelaysCallByThreeSeconds() {
        var world = world()
        world.isLocating = false
        world.receive(invite("server.example").bytes, from: stranger)
        world.run(.milliseconds(2_800))
        #expect(!world.caughtStatuses.contains(488))
        world.run(.milliseconds(200))
        #expect(world.caughtStatuses.last == 488)
        // A late address changes nothing.
        world.isLocating = true
        world.run(.seconds(1))
        #expect(world.offeredLegs(0).isEmpty)
    }

    @Test("a call that is cancelled meanwhile does not ring")
    func callThatIsCancelledMeanwhileDoesNotRing() {
        var world = world()
        world.isLocating = false
        world.receive(stranger.request(.invite, branch: "z9hG4bK-c", body: Self.named()).bytes, from: stranger)
        world.receive(stranger.request(.cancel, branch: "z9hG4bK-c").bytes, from: stranger)
        #expect(world.caughtStatuses.contains(487))
        world.isLocating = true
        world.run(.seconds(1))
        #expect(world.offeredLegs(0).isEmpty)
    }

    @Test("nobody makes the phone ask for a name with each message")
    func nobodyMakesPhoneAskForNameWithEachMessage() {
        var world = world()
        world.isLocating = false
        var asked = 0
        for number in 1...40 {
            let bytes = invite("host\(number).example", number).bytes
            let flow = Flow(.udp, local: World.endpoint(0), remote: stranger.endpoint)
            let outputs = world.lines[0].handle(.received(bytes, flow), at: world.now)
            asked += outputs.count { if case .lookUp(.addresses) = $0 { true } else { false } }
        }
        #expect(asked == 4)
    }

    @Test(
        "texts that are no host names are refused at once",
        arguments: [
            "far_end", "", "-", "a..example", "x.local", "x.invalid", "224.0.0.1", "1.2.3", "a b", "é.example",
        ])
    func textsThatAreNoHostNamesAreRefusedAtOnce(_ text: String) {
        var world = world()
        world.isLocating = false
        world.receive(invite(text).bytes, from: stranger)
        #expect((text == "far_end") != (world.caughtStatuses.last == 488))
    }
}
