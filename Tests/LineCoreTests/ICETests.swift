import Base
import ICECore
import LineCore
import SDPCore
import SIPCore
import Testing

/// ICE in the offers and answers of calls (RFC 8839).
@Suite struct ICETests {
    private static let elsewhere = "198.51.100.7"
    private static let listed = LineConfiguration.Accepts.listed([
        World.endpoint(0).host, World.endpoint(1).host, elsewhere,
    ])

    private static func candidates(_ letter: Character, isOffered: Bool = true, onlyAddress: MediaAddress? = nil) throws
        -> LocalICE
    {
        let fragment = String(repeating: letter, count: 4)
        let credentials = try #require(
            ICECredentials(userFragment: fragment, password: Redacted(String(repeating: letter, count: 22))))
        let candidate = "1 1 UDP 2130706431 192.0.2.1 4000 typ host"
        return LocalICE(
            ICEDescription(credentials, candidates: [candidate]), isOffered: isOffered, onlyAddress: onlyAddress)
    }

    /// An active call between phones with these ways of ICE.
    private static func connected(_ caller: LocalICE?, _ called: LocalICE?) -> Calls {
        var calls = Calls(accepts: listed)
        let target = "sip:bob@\(World.endpoint(1).host)"
        calls.world.command(
            0, .dial(calls.caller, target: target, account: .direct, MediaEndpoint(port: 4_000, ice: caller)))
        let leg = calls.called
        calls.runUntil(within: .seconds(10)) { $0.offeredLegs(1).contains(leg) }
        calls.world.command(1, .answer(calls.called, MediaEndpoint(port: 5_000, ice: called), awaitingACK: false))
        calls.world.run(.seconds(2))
        return calls
    }

    @Test func endsExchangeCandidates() throws {
        let (ours, theirs) = (try Self.candidates("a"), try Self.candidates("b", isOffered: false))
        let calls = Self.connected(ours, theirs)
        let (caller, called) = (calls.world.agreed(0, calls.caller)?.ice, calls.world.agreed(1, calls.called)?.ice)
        #expect(caller?.local == ours.description && caller?.remote == theirs.description)
        #expect(called?.local == theirs.description && called?.remote == ours.description)
        #expect(caller?.isControlling == true && called?.isControlling == false)
    }

    @Test func callWithoutICEWorks() throws {
        let calls = Self.connected(try Self.candidates("a"), nil)
        let agreed = try #require(calls.world.agreed(0, calls.caller))
        #expect(agreed.ice == nil && agreed.remote.port == 5_000)
    }

    @Test func relayedOnlyRequiresICE() throws {
        let hidden = try Self.candidates("a", onlyAddress: MediaAddress(host: "203.0.113.5", port: 49_200))
        let calls = Self.connected(hidden, nil)
        #expect(calls.world.agreed(0, calls.caller) == nil)
        #expect(calls.world.ends(0, calls.caller) == [.incompatible])
    }

    /// A move sends other candidates, and both ends start another session. The far end's answer has the credentials
    /// that it reported to its own user.
    @Test func moveStartsNewSession() throws {
        var calls = Self.connected(try Self.candidates("a"), try Self.candidates("b"))
        let next = try Self.candidates("c")
        calls.world.move(0, to: Self.elsewhere)
        calls.world.command(0, .move(calls.caller, MediaEndpoint(port: 4_000, ice: next)))
        calls.world.run(.seconds(2))
        let moved = try #require(calls.world.moves(0, calls.caller).first??.ice)
        let followed = try #require(calls.world.renegotiated(1, calls.called).last?.ice)
        #expect(moved.local == next.description && moved.isControlling)
        #expect(followed.remote == moved.local && followed.local == moved.remote)
        #expect(followed.local.userFragment != "bbbb")
    }

    @Test func holdKeepsSession() throws {
        var calls = Self.connected(try Self.candidates("a"), try Self.candidates("b"))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(2))
        let before = try #require(calls.world.agreed(0, calls.caller)?.ice)
        #expect(calls.world.settled(0, calls.caller).map(\.?.ice) == [before])
    }

    /// A stranger's answer with these credentials.
    private static func answer(_ letter: String, port: Int) -> String {
        Stranger.answer.replacing("audio 7000", with: "audio \(port)") + "a=rtcp-mux\r\n"
            + "a=ice-ufrag:\(String(repeating: letter, count: 4))\r\n"
            + "a=ice-pwd:\(String(repeating: letter, count: 22))\r\n"
            + "a=candidate:1 1 UDP 2130706431 203.0.113.9 \(port) typ host\r\n"
    }

    private static func calling() throws -> (world: World, invite: SIPRequest) {
        var world = World()
        world.add(Calls.direct("alice"))
        let media = MediaEndpoint(port: 4_000, ice: try candidates("a"))
        world.command(0, .dial(CallID(.phone, 1), target: "sip:x@203.0.113.9", account: .direct, media))
        world.run(.milliseconds(100))
        return (world, try #require(world.caughtRequests.first))
    }

    /// Before an answer a path may be found and used; the answer continues with it.
    @Test(arguments: [nil, 1 as UInt32])
    func earlyMediaHasCandidates(reliable: UInt32?) throws {
        let (stranger, leg) = (Stranger(), CallID(.phone, 1))
        var (world, invite) = try Self.calling()
        let body = Self.answer("s", port: 7_001)
        world.receive(
            stranger.progress(.sessionProgress, to: invite, tag: "one", number: reliable, body: body).bytes,
            from: stranger)
        let early = try #require(world.earlyMedia(0, leg).first?.ice)
        #expect(early.remote.userFragment == "ssss" && early.isControlling)
        #expect(early.remote.candidates == ["1 1 UDP 2130706431 203.0.113.9 7001 typ host"])
        // The 2xx repeats the answer of an unreliable response, and needs none after a reliable one.
        let success = stranger.success(to: invite, tag: "one", body: reliable == nil ? body : "")
        world.receive(success.bytes, from: stranger)
        #expect(world.agreed(0, leg)?.ice == early)
    }

    /// Each ringing fork has its own credentials, and our offer has the same for all.
    @Test func eachForkHasItsOwnSession() throws {
        let (stranger, leg) = (Stranger(), CallID(.phone, 1))
        var (world, invite) = try Self.calling()
        for (tag, letter, port) in [("one", "s", 7_001), ("two", "t", 7_002)] {
            let body = Self.answer(letter, port: port)
            world.receive(
                stranger.progress(.sessionProgress, to: invite, tag: tag, body: body).bytes, from: stranger)
        }
        let early = world.earlyMedia(0, leg).compactMap(\.ice)
        #expect(early.map(\.remote.userFragment) == ["ssss", "tttt"])
        #expect(early.allSatisfy { $0.local.userFragment == "aaaa" })
        // A third fork answers without having rung.
        world.receive(
            stranger.success(to: invite, tag: "three", body: Self.answer("u", port: 7_003)).bytes, from: stranger)
        let agreed = try #require(world.agreed(0, leg)?.ice)
        #expect(agreed.remote.userFragment == "uuuu" && agreed.local == early[0].local)
        // A late answer is hung up and changes nothing.
        world.receive(
            stranger.success(to: invite, tag: "two", body: Self.answer("t", port: 7_002)).bytes, from: stranger)
        #expect(world.caughtRequests.last?.method == .bye && world.ends(0, leg).isEmpty)
        // Later offers use the session of the fork that answered.
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        let reoffer = try #require(world.caughtRequests.last { $0.method == .invite })
        #expect(String(decoding: reoffer.body, as: UTF8.self).contains("a=ice-ufrag:aaaa"))
    }
}
