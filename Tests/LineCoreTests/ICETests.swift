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

    private static func ways(_ letter: Character, _ use: LocalICE.Use = .always) throws -> LocalICE {
        let fragment = String(repeating: letter, count: 4)
        let credentials = try #require(
            ICECredentials(userFragment: fragment, password: Redacted(String(repeating: letter, count: 22))))
        let candidate = "1 1 UDP 2130706431 192.0.2.1 4000 typ host"
        return LocalICE(ICEDescription(credentials: credentials, candidates: [candidate]), use: use)
    }

    /// A call that is up between phones that can be reached in these ways.
    private static func connected(_ caller: LocalICE?, _ called: LocalICE?) -> Calls {
        var calls = Calls(accepts: listed)
        let target = "sip:bob@\(World.endpoint(1).host)"
        calls.world.command(0, .invite(calls.caller, target: target, media: LocalMedia(port: 4_000, ice: caller)))
        let leg = calls.called
        calls.runUntil(within: .seconds(10)) { $0.offeredLegs(1).contains(leg) }
        calls.world.command(1, .answer(calls.called, media: LocalMedia(port: 5_000, ice: called)))
        calls.world.run(.seconds(2))
        return calls
    }

    @Test func bothEndsLearnEachOthersWays() throws {
        let (ours, theirs) = (try Self.ways("a"), try Self.ways("b", .whenOffered))
        let calls = Self.connected(ours, theirs)
        let (caller, called) = (calls.world.agreed(0, calls.caller)?.ice, calls.world.agreed(1, calls.called)?.ice)
        #expect(caller?.local == ours.description && caller?.remote == theirs.description)
        #expect(called?.local == theirs.description && called?.remote == ours.description)
        #expect(caller?.isControlling == true && called?.isControlling == false)
    }

    @Test func whoeverDoesNoICEIsSpokenToWithoutIt() throws {
        let calls = Self.connected(try Self.ways("a"), nil)
        let agreed = try #require(calls.world.agreed(0, calls.caller))
        #expect(agreed.ice == nil && agreed.remote.port == 5_000)
    }

    @Test func whoeverHidesDoesNotCallWithoutICE() throws {
        let hidden = try Self.ways("a", .relayed(PacketAddress(host: "203.0.113.5", port: 49_200)))
        let calls = Self.connected(hidden, nil)
        #expect(calls.world.agreed(0, calls.caller) == nil)
        #expect(calls.world.ends(0, calls.caller) == [.incompatible])
    }

    /// A move tells other ways, and both ends begin another session. The far end's answer has credentials that it told its
    /// own user.
    @Test func aMoveBeginsAnotherSession() throws {
        var calls = Self.connected(try Self.ways("a"), try Self.ways("b"))
        let next = try Self.ways("c")
        calls.world.move(0, to: Self.elsewhere)
        calls.world.command(0, .move(calls.caller, ice: next))
        calls.world.run(.seconds(2))
        let moved = try #require(calls.world.moves(0, calls.caller).first??.ice)
        let followed = try #require(calls.world.renegotiated(1, calls.called).last?.ice)
        #expect(moved.local == next.description && moved.isControlling)
        #expect(followed.remote == moved.local && followed.local == moved.remote)
        #expect(followed.local.credentials.userFragment != "bbbb")
    }

    @Test func holdGoesOnWithTheSession() throws {
        var calls = Self.connected(try Self.ways("a"), try Self.ways("b"))
        calls.world.command(0, .hold(calls.caller, true))
        calls.world.run(.seconds(2))
        let before = try #require(calls.world.agreed(0, calls.caller)?.ice)
        #expect(calls.world.settled(0, calls.caller).map(\.?.ice) == [before])
    }
}
